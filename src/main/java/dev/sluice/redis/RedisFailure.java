package dev.sluice.redis;

import dev.sluice.bucket.BucketStoreException.Reason;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong with a call, in the terms of the port.
 *
 * @param reason its kind
 * @param message what Redis or the connection said
 */
record RedisFailure(Reason reason, String message) {
  /**
   * Lettuce says it of its queue and of its stack of calls under way; it has no exception for
   * either.
   */
  private static final String TOO_MANY = "size exceeded";

  static RedisFailure of(@Nullable Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    if (cause == null) {
      return new RedisFailure(Reason.ERROR, "an empty reply");
    }
    String message =
        Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    if (cause instanceof RedisCommandExecutionException) {
      return new RedisFailure(Reason.ERROR, message);
    }
    if (message.contains(TOO_MANY)) {
      return new RedisFailure(Reason.QUEUE_FULL, message);
    }
    boolean connection = cause instanceof RedisException || cause instanceof IOException;
    return new RedisFailure(connection ? Reason.UNREACHABLE : Reason.ERROR, message);
  }
}
