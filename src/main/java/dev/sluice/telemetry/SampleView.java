package dev.sluice.telemetry;

import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.util.AbstractList;
import java.util.List;
import java.util.function.Function;

/**
 * Samples that are made as they are asked for, since a page may have a million of them, and needs
 * one at a time. It changes with what it is made of.
 */
final class SampleView<T> extends AbstractList<Sample> {
  private final List<T> sources;
  private final Function<T, Sample> sample;

  /**
   * A view.
   *
   * @param sources one for each sample
   * @param sample made of a source
   */
  SampleView(List<T> sources, Function<T, Sample> sample) {
    this.sources = sources;
    this.sample = sample;
  }

  @Override
  public Sample get(int index) {
    return sample.apply(sources.get(index));
  }

  @Override
  public int size() {
    return sources.size();
  }
}
