package dev.sluice.statsd;

/** Sees what becomes of lines. Called on the reporter's thread; must not throw. */
public interface ReporterObserver {
  /** So many were sent, and so many dropped, since nobody took them. */
  void flushed(long sent, long dropped);
}
