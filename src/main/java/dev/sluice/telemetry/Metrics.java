package dev.sluice.telemetry;

import dev.sluice.statsd.Stats;
import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.exporter.common.TextFormat;
import io.prometheus.client.hotspot.DefaultExports;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;

/**
 * The registry of this process: what is on its page, and what of that is sent as the reference
 * server sends it. Thread-safe, but for {@link #tell}.
 */
public final class Metrics implements Stats {
  /** The types whose families say when each of their series was made. */
  private static final Set<Collector.Type> TIMED =
      EnumSet.of(Collector.Type.COUNTER, Collector.Type.HISTOGRAM, Collector.Type.SUMMARY);

  private final CollectorRegistry registry = new CollectorRegistry();
  private final List<Stats> sources = new CopyOnWriteArrayList<>();
  private final ExtraLabels extraLabels;

  private final BareCounter callErrors =
      bareCounter(
          "ratelimit_service_should_rate_limit_error",
          "ratelimit.service.call.should_rate_limit.*",
          "Calls that Redis did not decide, and calls that got no decision.",
          "err_type");

  /** A registry with what the Java machine says of itself. */
  public Metrics() {
    this(Map.of());
  }

  /**
   * The same, with labels that all series of the reference server have.
   *
   * @param extraLabels values by name
   */
  public Metrics(Map<String, String> extraLabels) {
    this.extraLabels = new ExtraLabels(extraLabels);
    DefaultExports.register(registry);
  }

  CollectorRegistry registry() {
    return registry;
  }

  /** A registered counter that has no labels, and whose name does not end in {@code _total}. */
  BareCounter bareCounter(String name, String statName, String help) {
    return sent(BareCounter.plain(name, statName, help).register(registry));
  }

  /** A registered counter that has one label, and whose name does not end in {@code _total}. */
  BareCounter bareCounter(String name, String statName, String help, String labelName) {
    return sent(new BareCounter(name, statName, help, labelName).register(registry));
  }

  /** Has it sent what somebody counts. */
  <T extends Stats> T sent(T source) {
    sources.add(source);
    return source;
  }

  @Override
  public void tell(Hearer hearer) {
    sources.forEach(source -> source.tell(hearer));
  }

  /** What a constant is called in a label. */
  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** The value of a gauge that is asked for whenever somebody looks. */
  static Gauge.Child asked(DoubleSupplier value) {
    return new Gauge.Child() {
      @Override
      public double get() {
        return value.getAsDouble();
      }
    };
  }

  /** Calls that failed by the terms of the reference server. Two rooms know of such calls. */
  BareCounter callErrors() {
    return callErrors;
  }

  /**
   * All series, in one of the formats that the caller takes.
   *
   * @param accept what the caller says of that
   */
  public Page page(String accept) {
    return new Page(TextFormat.chooseContentType(accept));
  }

  /** A family as it is shown, without the series that only say when each counter was made. */
  private MetricFamilySamples shown(MetricFamilySamples family) {
    return extraLabels.added(withoutCreated(family));
  }

  private static MetricFamilySamples withoutCreated(MetricFamilySamples family) {
    boolean created =
        TIMED.contains(family.type) && family.samples.stream().anyMatch(Metrics::isCreated);
    return created
        ? with(family, family.samples.stream().filter(it -> !isCreated(it)).toList())
        : family;
  }

  private static boolean isCreated(Sample sample) {
    return sample.name.endsWith("_created");
  }

  /** The same family with other samples. */
  static MetricFamilySamples with(MetricFamilySamples family, List<Sample> samples) {
    return new MetricFamilySamples(family.name, family.unit, family.type, family.help, samples);
  }

  /** The series as text, family by family, since all of them may be much. */
  public final class Page {
    private final String contentType;

    private Page(String contentType) {
      this.contentType = contentType;
    }

    /** The format, as HTTP calls it. */
    public String contentType() {
      return contentType;
    }

    /** Writes what the series are now. */
    public void writeTo(Writer out) throws IOException {
      boolean plain = contentType.equals(TextFormat.CONTENT_TYPE_004);
      Writer lines = new PageLines(out, plain);
      Enumeration<MetricFamilySamples> families = registry.metricFamilySamples();
      while (families.hasMoreElements()) {
        List<MetricFamilySamples> one = List.of(shown(families.nextElement()));
        TextFormat.writeFormat(contentType, lines, Collections.enumeration(one));
      }
      if (!plain) {
        out.write(PageLines.END);
      }
    }

    /** All of it at once. */
    public String text() {
      StringWriter text = new StringWriter();
      try {
        writeTo(text);
      } catch (IOException e) {
        throw new UncheckedIOException("a string does not take characters", e);
      }
      return text.toString();
    }
  }
}
