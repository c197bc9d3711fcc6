package dev.sluice.bench;

import dev.sluice.load.ClosedLoop;
import dev.sluice.load.Messages;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What can be measured, in the order in which it is. */
enum Scenario {
  NOTHING("nothing", "a handler that decides nothing"),
  HOT("hot", "one hot key, strict"),
  HOT_LEASED("hot-leased", "one hot key, leased"),
  DENIED("denied", "one hot key, far over its limit"),
  ZIPF("zipf", "Zipf keys, strict"),
  ZIPF_LEASED("zipf-leased", "Zipf keys, leased"),
  TEN("ten", "ten descriptors, strict"),
  LATENCY("latency", "calls at even intervals, Zipf keys, strict"),
  FIRST("first", "process start, and the first calls after it"),
  MEMORY("memory", "memory for many different keys"),
  FAULTS("faults", "faults of Redis, one after the other"),
  GROWTH("growth", "memory over a long time, Zipf keys, strict");

  private static final int DESCRIPTORS = 10;
  private static final int TEN_IN_PARTS = 8;

  private final String name;
  private final String title;

  Scenario(String name, String title) {
    this.name = name;
    this.title = title;
  }

  /** The scenario of a name; empty where there is none. */
  static Optional<Scenario> of(String name) {
    return Arrays.stream(values()).filter(it -> it.name.equals(name)).findFirst();
  }

  /** All names, for people. */
  static String names() {
    return Stream.of(values()).map(Scenario::id).collect(Collectors.joining(", "));
  }

  /** Those whose figure is how much the server can take. */
  static List<Scenario> ofThroughput() {
    return List.of(HOT, HOT_LEASED, DENIED, ZIPF, ZIPF_LEASED, TEN);
  }

  /** Whether it is measured only where it is named, since it takes so long. */
  boolean onlyByName() {
    return this == GROWTH;
  }

  String id() {
    return name;
  }

  String title() {
    return title;
  }

  /** Settings of the server. */
  Map<String, String> settings(String redisUrl) {
    boolean leased = this == HOT_LEASED || this == ZIPF_LEASED;
    return Map.of(
        "REDIS_URL",
        redisUrl,
        "CACHE_KEY_PREFIX",
        Redis.PREFIX,
        "LEASES",
        leased ? "on" : "off",
        "WARM_UP",
        "true");
  }

  /** The message of each call, where it is always the same. */
  Optional<byte[]> message() {
    return switch (this) {
      case NOTHING, HOT, HOT_LEASED -> Optional.of(Requests.one("caller", Requests.value(0)));
      case DENIED -> Optional.of(Requests.one("denied", Requests.value(0)));
      case TEN -> Optional.of(Requests.several(DESCRIPTORS));
      default -> Optional.empty();
    };
  }

  /**
   * How many calls are under way where the server gets as many as it takes: large ones take it
   * longer than a call has if there are too many of them.
   */
  ClosedLoop.Shape shape(ClosedLoop.Shape given) {
    return this == TEN
        ? new ClosedLoop.Shape(given.connections(), Math.max(1, given.callsEach() / TEN_IN_PARTS))
        : given;
  }

  /**
   * What is sent.
   *
   * @param keys how many different ones there are where they differ
   */
  Messages messages(int keys) {
    return message().map(Requests::same).orElseGet(() -> Requests.zipf(keys));
  }
}
