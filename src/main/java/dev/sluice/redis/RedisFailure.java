package dev.sluice.redis;

import dev.sluice.bucket.BucketStoreException.Reason;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /**
   * The codes of errors that say something of the server. Before 7.0, Redis puts that of a command
   * in a script into the middle of the message.
   */
  private static final Pattern CODE =
      Pattern.compile(
          "(?:^|[ -])(READONLY|MASTERDOWN|CLUSTERDOWN|LOADING|OOM|MISCONF|NOREPLICAS|BUSY"
              + "|NOAUTH|WRONGPASS|NOPERM)(?= )");

  /** What a user of a script is told who may not run one of its commands; it has no code. */
  private static final Pattern NO_ACCESS_IN_SCRIPT =
      Pattern.compile("The user executing the script can't|ACL failure in script");

  static RedisFailure of(@Nullable Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    if (cause == null) {
      return new RedisFailure(Reason.ERROR, "an empty reply");
    }
    String message =
        Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    if (cause instanceof RedisCommandExecutionException) {
      return new RedisFailure(reason(message), message);
    }
    if (message.contains(TOO_MANY)) {
      return new RedisFailure(Reason.QUEUE_FULL, message);
    }
    boolean connection =
        cause instanceof RedisException
            || cause instanceof IOException
            || cause instanceof CancellationException;
    return new RedisFailure(connection ? Reason.UNREACHABLE : Reason.ERROR, message);
  }

  private static Reason reason(String message) {
    Matcher code = CODE.matcher(message);
    if (!code.find()) {
      return NO_ACCESS_IN_SCRIPT.matcher(message).find() ? Reason.NO_ACCESS : Reason.ERROR;
    }
    return switch (code.group(1)) {
      case "READONLY" -> Reason.READ_ONLY;
      case "MASTERDOWN" -> Reason.MASTER_DOWN;
      case "CLUSTERDOWN" -> Reason.CLUSTER_DOWN;
      case "LOADING" -> Reason.LOADING;
      case "OOM" -> Reason.OUT_OF_MEMORY;
      case "MISCONF", "NOREPLICAS" -> Reason.MISCONFIGURED;
      case "BUSY" -> Reason.BUSY;
      default -> Reason.NO_ACCESS;
    };
  }
}
