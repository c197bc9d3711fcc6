package dev.sluice.redis;

import dev.sluice.transport.EventLoops;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other servers on the same Redis that this one lives, and counts those that do.
 *
 * <p>Every three seconds or so it is one script call on one key, which ends by itself when nobody
 * beats any more. The count is the largest of the last four: a server that goes is missed a little
 * later, and one that Redis forgot, in a restart, is not missed at all. While Redis does not answer
 * the count stays what it was. Thread-safe; never blocks but for its end.
 */
public final class Heartbeat implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofSeconds(3);
  private static final Duration AFTER_A_MISS = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration LIFE = Duration.ofSeconds(10);
  private static final Duration FAREWELL = Duration.ofMillis(200);

  /** A single beat is easily lost by a pause of this process or of Redis. */
  private static final int MISSES_THAT_COUNT = 2;

  private static final int BEATS_THAT_COUNT = 4;

  private final RedisScript script = RedisScript.resource("heartbeat.lua");
  private final RedisLink link;
  private final EventLoops loops;
  private final String key;
  private final String id;
  private final Listener listener;

  /** Only the beat under way writes these two; there is one at a time. */
  private final int[] counts = new int[BEATS_THAT_COUNT];

  private int beats;
  private int misses;
  private volatile int servers = 1;
  private volatile boolean closed;

  /** Hears whether Redis answers. Called on any thread; must not block or throw. */
  public interface Listener {
    /** Redis answered a beat, or has not answered two in a row. */
    void redisAnswers(boolean answers);
  }

  /**
   * A heart that does not beat yet.
   *
   * @param key that all servers beat on
   * @param id no other server has it
   */
  public Heartbeat(RedisLink link, EventLoops loops, String key, String id, Listener listener) {
    this.link = link;
    this.loops = loops;
    this.key = key;
    this.id = id;
    this.listener = listener;
  }

  /** Beats, from now until it is closed. */
  public void start() {
    beat();
  }

  /** How many servers there are, this one included; 1 until Redis has been asked. */
  public int servers() {
    return servers;
  }

  private void beat() {
    var commands = link.commands();
    if (closed || commands == null) {
      ended(null);
      return;
    }
    AtomicBoolean ended = new AtomicBoolean();
    Runnable patience =
        loops.after(
            PATIENCE.toNanos(),
            () -> {
              if (ended.compareAndSet(false, true)) {
                ended(null);
              }
            });
    var unused =
        commands
            .<Long>eval(
                script.text(),
                ScriptOutputType.INTEGER,
                new String[] {key},
                id,
                Long.toString(LIFE.toMillis()))
            .whenComplete(
                (count, error) -> {
                  patience.run();
                  if (ended.compareAndSet(false, true)) {
                    ended(count);
                  }
                });
  }

  /** A beat came to its end, with a count or without. */
  private void ended(@Nullable Long count) {
    if (count == null) {
      misses++;
    } else {
      misses = 0;
      counts[beats++ % BEATS_THAT_COUNT] = (int) Math.min(count, Integer.MAX_VALUE);
      servers = Math.max(1, Arrays.stream(counts).max().orElse(1));
    }
    if (count != null || misses == MISSES_THAT_COUNT) {
      listener.redisAnswers(count != null);
    }
    if (!closed) {
      Duration pause = count == null ? AFTER_A_MISS : PERIOD;
      double jitter = ThreadLocalRandom.current().nextDouble(0.8, 1.2);
      var unused = loops.after((long) (pause.toNanos() * jitter), this::beat);
    }
  }

  /** Beats no more, and tells the others where Redis is there to tell. */
  @Override
  public void close() {
    closed = true;
    var commands = link.commands();
    if (commands == null) {
      return;
    }
    try {
      var unused = commands.zrem(key, id).await(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
