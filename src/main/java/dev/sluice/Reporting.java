package dev.sluice;

import dev.sluice.settings.MogrifierVariables;
import dev.sluice.settings.Settings;
import dev.sluice.settings.StatsCatalogue;
import dev.sluice.statsd.Format;
import dev.sluice.statsd.Mogrifier;
import dev.sluice.statsd.Reporter;
import dev.sluice.statsd.Tag;
import dev.sluice.statsd.Target;
import dev.sluice.telemetry.Metrics;
import dev.sluice.telemetry.ReporterTelemetry;
import dev.sluice.transport.EventLoops;
import java.util.List;
import java.util.Map;

/** What the settings say of metrics that are sent, beside the page that has them. */
final class Reporting implements AutoCloseable {
  private final Settings settings;
  private final Runnable stop;

  /** Begins to send, if the settings want it. */
  Reporting(Settings settings, EventLoops loops, Metrics metrics) {
    this.settings = settings;
    ReporterTelemetry telemetry = new ReporterTelemetry(metrics);
    if (!isOn()) {
      stop = () -> {};
      return;
    }
    Reporter begun = new Reporter(metrics, sink(), loops, telemetry);
    begun.start(settings.get(StatsCatalogue.STATS_FLUSH_INTERVAL));
    stop = begun::close;
  }

  private boolean isOn() {
    return !settings.get(StatsCatalogue.DISABLE_STATS)
        && (settings.get(StatsCatalogue.USE_STATSD) || isDog());
  }

  private boolean isDog() {
    return settings.get(StatsCatalogue.USE_DOG_STATSD);
  }

  private Reporter.Sink sink() {
    boolean datagrams = isDog() || settings.get(StatsCatalogue.STATSD_PROTOCOL).equals("udp");
    Target target =
        new Target(
            settings.get(StatsCatalogue.STATSD_HOST),
            settings.get(StatsCatalogue.STATSD_PORT),
            datagrams ? Target.Protocol.UDP : Target.Protocol.TCP);
    List<Tag> tags = tags(settings.get(StatsCatalogue.EXTRA_TAGS));
    Format format = isDog() ? Format.dogStatsd(tags, mogrifiers()) : Format.statsd(tags);
    return new Reporter.Sink(target, format, isExpected());
  }

  /** By default a sink is sent to if it is there, and not missed if it is not. */
  private boolean isExpected() {
    return isDog()
        || settings.isSet(StatsCatalogue.USE_STATSD)
        || settings.isSet(StatsCatalogue.STATSD_HOST)
        || settings.isSet(StatsCatalogue.STATSD_PORT);
  }

  private List<Mogrifier> mogrifiers() {
    return StatsCatalogue.mogrifiers(settings).stream().map(this::mogrifier).toList();
  }

  private Mogrifier mogrifier(MogrifierVariables variables) {
    return new Mogrifier(
        settings.get(variables.pattern()),
        settings.get(variables.metric()),
        tags(settings.get(variables.tags())));
  }

  private static List<Tag> tags(Map<String, String> pairs) {
    return pairs.entrySet().stream().map(it -> new Tag(it.getKey(), it.getValue())).toList();
  }

  @Override
  public void close() {
    stop.run();
  }
}
