package dev.sluice.redis;

import dev.sluice.bucket.BatchStore;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.bucket.Deadline;
import dev.sluice.limit.Verdict;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletionStage;
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
    return decideAll(List.of(charges)).thenApply(verdicts -> verdicts.get(0));
  }

  @Override
  public CompletionStage<List<List<Verdict>>> decideAll(List<List<BucketCharge>> groups) {
    List<ScriptCall> calls = ScriptCall.of(keyPrefix, groups, key -> link.slot(keyPrefix, key));
    Verdicts verdicts = new Verdicts(groups.size(), calls.size());
    RedisClusterAsyncCommands<String, String> commands = link.commands();
    for (ScriptCall call : calls) {
      if (commands == null) {
        verdicts.failed(new RedisFailure(Reason.UNREACHABLE, "there is no connection to Redis"));
      } else if (!link.sent(commands)) {
        verdicts.failed(new RedisFailure(Reason.QUEUE_FULL, "too many calls wait for Redis"));
      } else {
        new Pending(call, commands, verdicts).start();
      }
    }
    return verdicts.all();
  }

  /** One call that waits for its reply. */
  private final class Pending {
    private final ScriptCall call;
    private final RedisClusterAsyncCommands<String, String> commands;
    private final Verdicts verdicts;
    private final long startNanos = System.nanoTime();

    Pending(
        ScriptCall call, RedisClusterAsyncCommands<String, String> commands, Verdicts verdicts) {
      this.call = call;
      this.commands = commands;
      this.verdicts = verdicts;
    }

    void start() {
      RedisScript script = call.script(scripts);
      String[] keys = call.keys();
      byte[] argument = call.argument();
      send(CommandType.EVALSHA, script.sha(), keys, argument)
          .whenComplete(
              (reply, error) -> {
                if (error instanceof RedisNoScriptException) {
                  send(CommandType.EVAL, script.text(), keys, argument)
                      .whenComplete(this::complete);
                } else {
                  complete(reply, error);
                }
              });
    }

    private CompletionStage<long[]> send(
        CommandType type, String script, String[] keys, byte[] argument) {
      return commands.dispatch(
          type,
          new Numbers(),
          new CommandArgs<>(StringCodec.ASCII)
              .add(script)
              .add(keys.length)
              .addKeys(keys)
              .add(argument));
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
