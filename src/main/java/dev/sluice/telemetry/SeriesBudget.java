package dev.sluice.telemetry;

import io.prometheus.client.Collector.MetricFamilySamples;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many lines of /metrics there may be whose labels come from requests. Without it, whoever
 * sends requests would decide how large the page and the memory behind it become. Thread-safe;
 * never blocks.
 */
public final class SeriesBudget {
  private final int most;
  private final AtomicInteger taken = new AtomicInteger();

  public SeriesBudget(int most) {
    this.most = most;
  }

  /** Another one of the same size. */
  SeriesBudget another() {
    return new SeriesBudget(most);
  }

  /** Takes that many lines if there are as many. */
  boolean take(int lines) {
    int before;
    do {
      before = taken.get();
      if (before + lines > most) {
        return false;
      }
    } while (!taken.compareAndSet(before, before + lines));
    return true;
  }

  /** Gives lines back. */
  void give(int lines) {
    taken.addAndGet(-lines);
  }

  MetricFamilySamples series() {
    return Series.gauge(
            "sluice_request_series",
            "Lines of this page whose labels come from requests: those there are, and how many there may be.",
            List.of("of"))
        .add(List.of("taken"), taken.get())
        .add(List.of("most"), most)
        .family();
  }
}
