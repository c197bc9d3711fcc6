package dev.sluice.envoy;

/** Sees calls that were not let in. Its method is called on event loops and must not block. */
@FunctionalInterface
public interface DoorObserver {
  /** A call was refused, since too many were under way. */
  void refused();
}
