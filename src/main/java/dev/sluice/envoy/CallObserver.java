package dev.sluice.envoy;

/** Sees calls as they end. Its methods are called on event loops and must not block or throw. */
public interface CallObserver {
  /** What was called. */
  enum Method {
    /** The rate limit service, by gRPC. */
    SHOULD_RATE_LIMIT,
    /** Health, by gRPC. */
    CHECK,
    /** The rate limit service, by JSON. */
    JSON
  }

  /** How a call came to its end. */
  enum Ending {
    /** It got an answer. */
    ANSWERED,
    /** It got an error. */
    FAILED,
    /** The caller did not wait. */
    ABANDONED
  }

  /** A call came to its end, this many nanoseconds after it had come in. */
  void ended(Method method, Ending ending, long nanos);
}
