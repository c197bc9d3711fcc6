package dev.sluice.bucket;

import java.util.concurrent.CompletionException;

/**
 * A store did not decide a group of charges. Whether the charges were carried out is unknown.
 *
 * <p>It carries no stack trace: it is an answer of the world outside, and there may be thousands a
 * second.
 */
public final class BucketStoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Why a store did not decide. */
  public enum Reason {
    /** There is no connection. */
    UNREACHABLE,
    /** It did not answer in the time that it has for every call. */
    TIMEOUT,
    /** Its caller could not wait even that long. */
    NO_TIME,
    /** It answers others, but the turn of this call did not come in time. */
    WAITED,
    /** As many calls wait for it already as it answers in time. */
    SHED,
    /** It failed so often that it is left alone for a moment. */
    BREAKER_OPEN,
    /** Too many calls wait for it already. */
    QUEUE_FULL,
    /** It is no primary, or not any more. */
    READ_ONLY,
    /** It is a replica that has lost its primary. */
    MASTER_DOWN,
    /** Nobody in its cluster has the bucket now. */
    CLUSTER_DOWN,
    /** It has just started, and reads what it knew. */
    LOADING,
    /** Its memory is full. */
    OUT_OF_MEMORY,
    /** It refuses to write, for example since its disk is full. */
    MISCONFIGURED,
    /** A script of somebody else keeps it busy. */
    BUSY,
    /** It does not let us in, or not do what we have to. */
    NO_ACCESS,
    /** It answered with another error, which may be about one bucket alone. */
    ERROR;

    /** Whether it says how the store does, and not only how its caller does. */
    public boolean tellsOfStore() {
      return this != NO_TIME && this != WAITED;
    }
  }

  private final Reason reason;

  public BucketStoreException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** A failure without what stages wrap theirs in when they pass them on. */
  public static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** Why the store did not decide. */
  public Reason reason() {
    return reason;
  }
}
