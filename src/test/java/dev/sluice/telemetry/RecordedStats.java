package dev.sluice.telemetry;

import dev.sluice.statsd.Stats;
import java.util.HashMap;
import java.util.Map;

/** Remembers what it is told. */
final class RecordedStats implements Stats.Hearer {
  private final Map<String, Long> counted = new HashMap<>();
  private final Map<String, Long> levels = new HashMap<>();
  private final Map<String, Long> timed = new HashMap<>();

  @Override
  public void count(String name, long more) {
    counted.merge(name, more, Long::sum);
  }

  @Override
  public void gauge(String name, long level) {
    levels.put(name, level);
  }

  @Override
  public void times(String name, long[] calls) {
    for (int millis = 0; millis < calls.length; millis++) {
      if (calls[millis] != 0) {
        timed.merge(name + " " + millis, calls[millis], Long::sum);
      }
    }
  }

  Map<String, Long> counted() {
    return counted;
  }

  Map<String, Long> levels() {
    return levels;
  }

  /** Calls by name and milliseconds. */
  Map<String, Long> timed() {
    return timed;
  }
}
