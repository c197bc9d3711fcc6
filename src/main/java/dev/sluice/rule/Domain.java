package dev.sluice.rule;

/**
 * What the rules of one domain are.
 *
 * @param root of their tree
 * @param slotBy what makes buckets share a slot of a cluster
 */
public record Domain(RuleNode root, SlotBy slotBy) {
  /** A domain each of whose buckets has a slot of its own. */
  public Domain(RuleNode root) {
    this(root, SlotBy.NOTHING);
  }
}
