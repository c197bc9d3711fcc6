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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Buckets in Redis. Each group of charges is one script call, decided by Redis' own clock.
 *
 * <p>A call ends when Redis has answered it or the connection is lost, however long that takes: who
 * cannot wait is told so further up. A script that Redis has forgotten was not run, so the call is
 * made again with the script's text; nothing else is ever repeated.
 */
public final class RedisBucketStore implements BucketStore {
  private final RedisLink link;
  private final RedisScripts scripts;
  private final String keyPrefix;
  private final RedisObserver observer;

  /**
   * A store behind a link.
   *
   * @param keyPrefix goes before the name of each bucket
   */
  public RedisBucketStore(
      RedisLink link, RedisScripts scripts, String keyPrefix, RedisObserver observer) {
    this.link = link;
    this.scripts = scripts;
    this.keyPrefix = keyPrefix;
    this.observer = observer;
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    if (charges.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    RedisAsyncCommands<String, String> commands = link.commands();
    if (commands == null) {
      return CompletableFuture.failedFuture(
          new BucketStoreException(Reason.UNREACHABLE, "there is no connection to Redis"));
    }
    Pending pending = new Pending(ScriptCall.of(keyPrefix, charges), commands);
    pending.start();
    return pending.answer;
  }

  /** One call that waits for its reply. */
  private final class Pending {
    private final CompletableFuture<List<Verdict>> answer = new CompletableFuture<>();
    private final ScriptCall call;
    private final RedisAsyncCommands<String, String> commands;
    private final long startNanos = System.nanoTime();

    Pending(ScriptCall call, RedisAsyncCommands<String, String> commands) {
      this.call = call;
      this.commands = commands;
    }

    void start() {
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
      if (error != null || reply == null) {
        fail(RedisFailure.of(error));
        return;
      }
      observer.answered(System.nanoTime() - startNanos);
      try {
        answer.complete(call.verdicts(reply));
      } catch (RuntimeException e) {
        fail(RedisFailure.of(e));
      }
    }

    private void fail(RedisFailure failure) {
      answer.completeExceptionally(new BucketStoreException(failure.reason(), failure.message()));
    }
  }
}
