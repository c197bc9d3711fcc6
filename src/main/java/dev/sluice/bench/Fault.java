package dev.sluice.bench;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Something that goes wrong with Redis for a while.
 *
 * @param length from its begin to its end
 * @param again what is done while it lasts, one time after the other
 * @param pause between two of those times
 */
record Fault(
    String name,
    Duration length,
    Consumer<FaultyRedis> begin,
    Consumer<FaultyRedis> again,
    Duration pause,
    Consumer<FaultyRedis> end) {
  private static final Duration FIVE = Duration.ofSeconds(5);
  private static final Duration SHORT = Duration.ofMillis(50);

  /** All of them, the usual state first. */
  static List<Fault> all() {
    return List.of(
        lasting("none", FIVE, redis -> {}, redis -> {}),
        lasting("killed, and empty afterwards", FIVE, FaultyRedis::kill, FaultyRedis::restart),
        lasting(
            "SIGSTOP",
            Duration.ofSeconds(12),
            redis -> redis.signal("STOP"),
            redis -> redis.signal("CONT")),
        lasting(
            "CLIENT PAUSE",
            FIVE,
            redis -> redis.say(List.of("CLIENT PAUSE 5000 ALL")),
            redis -> {}),
        repeated(
            "a script of 300 ms each second", Duration.ofMillis(700), redis -> redis.busy(0.3, 1)),
        repeated("scripts of 5 ms all the time", Duration.ZERO, redis -> redis.busy(0.005, 20)),
        repeated(
            "SCRIPT FLUSH", Duration.ofMillis(200), redis -> redis.say(List.of("SCRIPT FLUSH"))),
        repeated("FLUSHALL", Duration.ofSeconds(1), redis -> redis.say(List.of("FLUSHALL"))),
        lasting(
            "memory is full",
            FIVE,
            redis -> redis.say(List.of("CONFIG SET maxmemory 1")),
            redis -> redis.say(List.of("CONFIG SET maxmemory 0"))),
        lasting(
            "another password",
            FIVE,
            redis -> redis.say(List.of("CONFIG SET requirepass secret", KILL_OTHERS)),
            redis -> redis.say(List.of("AUTH secret", "CONFIG SET requirepass \"\""))),
        lasting(
            "it becomes a replica",
            FIVE,
            redis -> redis.say(List.of("REPLICAOF 127.0.0.1 1")),
            redis -> redis.say(List.of("REPLICAOF NO ONE"))));
  }

  private static final String KILL_OTHERS = "CLIENT KILL TYPE normal SKIPME yes";

  private static Fault lasting(
      String name, Duration length, Consumer<FaultyRedis> begin, Consumer<FaultyRedis> end) {
    return new Fault(name, length, begin, redis -> {}, SHORT, end);
  }

  private static Fault repeated(String name, Duration pause, Consumer<FaultyRedis> again) {
    return new Fault(name, FIVE, redis -> {}, again, pause, redis -> {});
  }
}
