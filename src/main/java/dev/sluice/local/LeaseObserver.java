package dev.sluice.local;

/**
 * Sees what becomes of units that were taken in advance. Its methods are called on any thread, some
 * of them while a lease is locked, and must not block or throw.
 *
 * <p>What was granted and has not been spent or called back is held: by no more than that can
 * requests go beyond a strict limit.
 */
public interface LeaseObserver {
  /**
   * Units were taken in advance.
   *
   * @param share of the bucket's burst that is held here since
   */
  void granted(long units, double share);

  /** So many charges were decided here, and that took so many units. */
  void spent(int charges, long units);

  /** Units that were not spent are on their way back, and cannot be spent any more. */
  void calledBack(long units);

  /** Of units on their way back it is not known whether they arrived. */
  void lost(long units);
}
