package dev.sluice.bucket;

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
    /** As many calls wait for it already as it answers in time. */
    SHED,
    /** It failed so often that it is left alone for a moment. */
    BREAKER_OPEN,
    /** Too many calls wait for it already. */
    QUEUE_FULL,
    /** It answered with an error. */
    ERROR
  }

  private final Reason reason;

  public BucketStoreException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  /** Why the store did not decide. */
  public Reason reason() {
    return reason;
  }
}
