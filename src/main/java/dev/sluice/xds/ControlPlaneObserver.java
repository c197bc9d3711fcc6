package dev.sluice.xds;

/**
 * Sees how a control plane is reached. Its methods are called by one thread at a time and must not
 * throw.
 */
public interface ControlPlaneObserver {
  /** A stream is open. */
  void connected();

  /** A set of rules came; what it says may be known already. */
  void answered();

  /** A set was taken, and the control plane is told so. */
  void accepted();

  /** A set was refused, and the control plane is told so. */
  void refused();

  /**
   * The stream ended, or could not be opened. It is tried again.
   *
   * @param reason for people
   */
  void lost(String reason);
}
