package dev.sluice.redis;

import dev.sluice.bucket.BatchStore;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.limit.Verdict;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Buckets in Redis. A script call decides as many groups of charges as it has room for, by Redis'
 * own clock; a group is never divided between calls. In a cluster each slot needs a call of its
 * own, and the buckets of a group have to share one.
 *
 * <p>A call ends when Redis has answered it or the connection is lost, however long that takes: who
 * cannot wait is told so further up. A script that Redis has forgotten was not run, so the call is
 * made again with the script's text; nothing else is ever repeated.
 */
public final class RedisBucketStore implements BucketStore, BatchStore {
  private final RedisLink link;
  private final RedisScripts scripts;
  private final byte[] keyPrefix;
  private final ToIntFunction<BucketKey> slots;
  private final Tariffs tariffs = new Tariffs();
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
    this.keyPrefix = keyPrefix.getBytes(StandardCharsets.US_ASCII);
    this.observer = observer;
    slots = key -> link.slot(keyPrefix, key);
  }

  @Override
  public CompletionStage<List<Verdict>> decide(List<BucketCharge> charges, Deadline deadline) {
    return decideAll(List.of(charges)).thenApply(outcomes -> verdicts(outcomes.get(0)));
  }

  private static List<Verdict> verdicts(Outcome outcome) {
    if (outcome instanceof Outcome.Failed failed) {
      throw failed.why();
    }
    return ((Outcome.Decided) outcome).verdicts();
  }

  @Override
  public CompletionStage<List<Outcome>> decideAll(List<List<BucketCharge>> groups) {
    List<ScriptCall> calls = ScriptCall.of(tariffs, groups, slots);
    Verdicts verdicts = new Verdicts(groups.size(), calls.size());
    RedisClusterAsyncCommands<String, String> commands = link.commands();
    for (ScriptCall call : calls) {
      if (commands == null) {
        verdicts.failed(new RedisFailure(Reason.UNREACHABLE, "there is no connection to Redis"));
      } else if (!link.sent(commands)) {
        verdicts.failed(new RedisFailure(Reason.QUEUE_FULL, "too many calls wait for Redis"));
      } else {
        new Sent(call, commands, verdicts).start();
      }
    }
    return verdicts.all();
  }

  /** One call that waits for its reply. */
  private final class Sent {
    private final ScriptCall call;
    private final RedisClusterAsyncCommands<String, String> commands;
    private final Verdicts verdicts;
    private final long startNanos = System.nanoTime();

    Sent(ScriptCall call, RedisClusterAsyncCommands<String, String> commands, Verdicts verdicts) {
      this.call = call;
      this.commands = commands;
      this.verdicts = verdicts;
    }

    void start() {
      RedisScript script = call.script(scripts);
      send(CommandType.EVALSHA, script.sha())
          .whenComplete(
              (reply, error) -> {
                if (error instanceof RedisNoScriptException) {
                  send(CommandType.EVAL, script.text()).whenComplete(this::complete);
                } else {
                  complete(reply, error);
                }
              });
    }

    private CompletionStage<long[]> send(CommandType type, String script) {
      return commands.dispatch(
          type,
          new Numbers(),
          new ScriptArguments(script, keyPrefix, call.keys(), call.argument()));
    }

    private void complete(long @Nullable [] reply, @Nullable Throwable error) {
      if (error != null || reply == null) {
        RedisFailure failure = RedisFailure.of(error);
        link.failed(commands, failure.reason());
        verdicts.failed(failure);
        return;
      }
      link.heard(commands);
      observer.answered(call.size(), System.nanoTime() - startNanos);
      try {
        call.read(reply, verdicts);
        verdicts.ended();
      } catch (RuntimeException e) {
        verdicts.failed(RedisFailure.of(e));
      }
    }
  }
}
