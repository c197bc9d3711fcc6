package dev.sluice.testing;

import dev.sluice.redis.RedisScript;
import dev.sluice.redis.RedisScripts;
import java.util.Map;

/**
 * The scripts with a clock that a test sets: the one line that asks the time is another, and
 * nothing else.
 */
public final class TestRedisScripts {
  private static final String CLOCK = "local time = redis.call('TIME')";
  private static final String SECONDS = "test:clock:seconds";
  private static final String MICROS = "test:clock:micros";

  private TestRedisScripts() {}

  /** The scripts. */
  public static RedisScripts withTestClock() {
    return reading("'" + SECONDS + "', '" + MICROS + "'");
  }

  /**
   * The scripts for a cluster, where a script sees one slot: there is a clock beside each bucket.
   */
  public static RedisScripts withTestClocks() {
    return reading("'{' .. KEYS[1] .. '}" + SECONDS + "', '{' .. KEYS[1] .. '}" + MICROS + "'");
  }

  private static RedisScripts reading(String keys) {
    RedisScripts real = RedisScripts.load();
    return new RedisScripts(withTestClock(real.take(), keys), withTestClock(real.many(), keys));
  }

  /**
   * The clock beside a bucket of a cluster.
   *
   * @param bucket as Redis knows it, without braces
   */
  public static Map<String, String> clock(String bucket, long micros) {
    return Map.of(
        "{" + bucket + "}" + SECONDS, String.valueOf(micros / 1_000_000),
        "{" + bucket + "}" + MICROS, String.valueOf(micros % 1_000_000));
  }

  /** Sets the clock of a Redis, in microseconds since 1970. */
  public static void set(RedisProcess redis, long micros) {
    redis.tell(
        commands ->
            commands.mset(
                Map.of(
                    SECONDS, String.valueOf(micros / 1_000_000),
                    MICROS, String.valueOf(micros % 1_000_000))));
  }

  private static RedisScript withTestClock(RedisScript script, String keys) {
    String text = script.text().replace(CLOCK, "local time = redis.call('MGET', " + keys + ")");
    if (text.equals(script.text())) {
      throw new IllegalStateException("a script asks the time in another way than " + CLOCK);
    }
    return RedisScript.of(text);
  }
}
