package dev.sluice.redis;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.limit.Verdict;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Buckets in Redis. Each group of charges is one script call, decided by Redis' own clock.
 *
 * <p>A call that Redis has not answered in time fails for its caller, and goes on at Redis: its
 * charges may still be carried out. A late reply is counted and dropped. A script that Redis has
 * forgotten was not run, so the call is made again with the script's text; nothing else is ever
 * repeated.
 */
public final class RedisBucketStore implements BucketStore {
  private final RedisLink link;
  private final RedisScripts scripts;
  private final String keyPrefix;
  private final Duration timeout;
  private final RedisObserver observer;

  /**
   * A store behind a link.
   *
   * @param keyPrefix goes before the name of each bucket
   * @param timeout after which a caller is told that Redis did not decide
   */
  public RedisBucketStore(
      RedisLink link,
      RedisScripts scripts,
      String keyPrefix,
      Duration timeout,
      RedisObserver observer) {
    this.link = link;
    this.scripts = scripts;
    this.keyPrefix = keyPrefix;
    this.timeout = timeout;
    this.observer = observer;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    if (charges.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    RedisAsyncCommands<String, String> commands = link.commands();
    if (commands == null) {
      return failed(Reason.UNREACHABLE, "there is no connection to Redis");
    }
    Pending pending = new Pending(ScriptCall.of(keyPrefix, charges), commands);
    pending.start(link.timer());
    return pending.answer;
  }

  private CompletionStage<List<Verdict>> failed(Reason reason, String message) {
    observer.failed(reason);
    return CompletableFuture.failedFuture(new BucketStoreException(reason, message));
  }

  /** One call that waits for its reply, or for its time to be up. */
  private final class Pending {
    private final CompletableFuture<List<Verdict>> answer = new CompletableFuture<>();
    private final ScriptCall call;
    private final RedisAsyncCommands<String, String> commands;
    private final long startNanos = System.nanoTime();
    private @Nullable Timeout deadline;

    Pending(ScriptCall call, RedisAsyncCommands<String, String> commands) {
      this.call = call;
      this.commands = commands;
    }

    void start(Timer timer) {
      deadline =
          timer.newTimeout(
              it -> fail(Reason.TIMEOUT, "no answer in " + timeout),
              timeout.toNanos(),
              TimeUnit.NANOSECONDS);
      RedisScript script = call.script(scripts);
      commands
          .<List<Object>>evalsha(
              script.sha(), ScriptOutputType.MULTI, call.keys(), call.arguments())
          .whenComplete(
              (reply, error) -> {
                if (error instanceof RedisNoScriptException) {
                  sendText(script);
                } else {
                  complete(reply, error);
                }
              });
    }

    private void sendText(RedisScript script) {
      commands
          .<List<Object>>eval(script.text(), ScriptOutputType.MULTI, call.keys(), call.arguments())
          .whenComplete(this::complete);
    }

    private void complete(@Nullable List<Object> reply, @Nullable Throwable error) {
      if (deadline != null) {
        deadline.cancel();
      }
      if (error != null || reply == null) {
        RedisFailure failure = RedisFailure.of(error);
        fail(failure.reason(), failure.message());
        return;
      }
      observer.answered(System.nanoTime() - startNanos);
      answer.complete(call.verdicts(reply));
    }

    private void fail(Reason reason, String message) {
      if (answer.completeExceptionally(new BucketStoreException(reason, message))) {
        observer.failed(reason);
      }
    }
  }
}
