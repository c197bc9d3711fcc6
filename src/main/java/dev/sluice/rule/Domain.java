package dev.sluice.rule;

import dev.sluice.bucket.Terms;
import dev.sluice.bucket.Terms.OnFailure;

/**
 * What the rules of one domain are.
 *
 * @param root of their tree
 * @param slotBy what makes buckets share a slot of a cluster
 * @param onFailure who decides when the store of buckets does not, where no rule says so
 */
public record Domain(RuleNode root, SlotBy slotBy, OnFailure onFailure) {
  /** A domain each of whose buckets has a slot of its own, and that says nothing of failures. */
  public Domain(RuleNode root) {
    this(root, SlotBy.NOTHING, Terms.STANDARD.onFailure());
  }
}
