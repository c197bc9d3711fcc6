package dev.sluice.bench;

import dev.sluice.load.ClosedLoop;
import java.time.Duration;
import java.util.List;

/**
 * How much a benchmark does.
 *
 * @param warm load before each measurement
 * @param measured length of each measurement
 * @param keys different keys of the Zipf scenarios
 * @param distinct different keys of the memory scenario
 * @param growth length of the growth scenario
 * @param shape of the load where it is as much as the server can take
 * @param rates calls per second where it is not
 */
public record Effort(
    Duration warm,
    Duration measured,
    int keys,
    int distinct,
    Duration growth,
    ClosedLoop.Shape shape,
    List<Integer> rates) {
  public Effort {
    rates = List.copyOf(rates);
  }

  /** The same with a load of another shape. */
  Effort with(ClosedLoop.Shape other) {
    return new Effort(warm, measured, keys, distinct, growth, other, rates);
  }
}
