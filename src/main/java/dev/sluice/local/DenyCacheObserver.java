package dev.sluice.local;

/**
 * Sees what a deny cache answers, and what becomes of what it remembers. Called on any thread; must
 * not block or throw.
 */
public interface DenyCacheObserver {
  /** So many charges were denied without asking the store. */
  void denied(int charges);

  /** So many charges are asked of the store. */
  default void asked(int charges) {}

  /** A denial was remembered in the place of an earlier one on the same bucket. */
  default void replaced() {}

  /** A denial was over. */
  default void expired() {}

  /** A denial was given up for others, since there was no more room. */
  default void evicted() {}
}
