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
    RedisScripts real = RedisScripts.load();
    return new RedisScripts(withTestClock(real.take()), withTestClock(real.many()));
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

  private static RedisScript withTestClock(RedisScript script) {
    String text =
        script
            .text()
            .replace(CLOCK, "local time = redis.call('MGET', '" + SECONDS + "', '" + MICROS + "')");
    if (text.equals(script.text())) {
      throw new IllegalStateException("a script asks the time in another way than " + CLOCK);
    }
    return RedisScript.of(text);
  }
}
