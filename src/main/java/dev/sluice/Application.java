package dev.sluice;

import dev.sluice.admin.Route;
import dev.sluice.decision.Limiter;
import dev.sluice.decision.RateLimiter;
import dev.sluice.envoy.Health;
import dev.sluice.log.RootLevel;
import dev.sluice.redis.Heartbeat;
import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleObserver;
import dev.sluice.rulefile.RulesInForce;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.OverloadCatalogue;
import dev.sluice.settings.ProcessCatalogue;
import dev.sluice.settings.RedisVariables;
import dev.sluice.settings.Settings;
import dev.sluice.settings.StatsCatalogue;
import dev.sluice.telemetry.ControlPlaneTelemetry;
import dev.sluice.telemetry.DecisionTelemetry;
import dev.sluice.telemetry.Metrics;
import dev.sluice.telemetry.RuleSeries;
import dev.sluice.telemetry.RuleTelemetry;
import dev.sluice.telemetry.SeriesBudget;
import dev.sluice.telemetry.UnknownDomains;
import dev.sluice.tracing.Traces;
import dev.sluice.transport.EventLoops;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that runs: every object is made here in order, and closed in reverse. */
final class Application implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Application.class);

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Settings settings;
  private final RuleSource source;
  private final RulesInForce rules;
  private final Ports ports;
  private final CompletionStage<Void> warm;

  /**
   * Starts a server.
   *
   * @param given the directory of rule files from the command line, if any
   * @throws RuntimeException if it cannot start, with a message for people; nothing stays open then
   */
  static Application start(Settings settings, Optional<Path> given) {
    return new Application(settings, RuleSource.of(settings, given));
  }

  private Application(Settings settings, RuleSource source) {
    this.settings = settings;
    this.source = source;
    if (!settings.withoutEffect().isEmpty()) {
      LOG.info(
          "Accepted and without effect here: {}.", String.join(", ", settings.withoutEffect()));
    }
    try {
      Metrics metrics = new Metrics(settings.get(StatsCatalogue.EXTRA_TAGS));
      Health health = new Health();
      EventLoops loops = opened(new EventLoops(loops(settings)));
      Traces traces = opened(TraceSettings.open(settings));
      opened(new Reporting(settings, loops, metrics));
      SeriesBudget budget = new SeriesBudget(settings.get(Catalogue.METRICS_MAX_SERIES));
      RuleSeries series = new RuleSeries(metrics, budget, settings.get(Catalogue.NEAR_LIMIT_RATIO));
      RuleTelemetry telemetry = new RuleTelemetry(metrics, series, InstantSource.system());
      rules = rules(new Readiness(telemetry, health), health);
      opened(source.open(rules, loops, new ControlPlaneTelemetry(metrics)));
      Stores stores = opened(new Stores(settings, loops, metrics, readiness(health), traces));
      WarmUp warmUp = opened(new WarmUp(settings, loops));
      warm = stores.tried().thenCompose(warmUp::run).thenRun(health::storeTried);
      Limiter limiter =
          traces.decisions(
              new RateLimiter(
                  rules,
                  stores.front(),
                  modes(settings),
                  new DecisionTelemetry(metrics, series, new UnknownDomains(metrics, budget))));
      Map<String, Route> debug = new DebugPages(rules, metrics, new RootLevel()).routes();
      Ports.Contents contents = new Ports.Contents(limiter, health, metrics, debug, traces.calls());
      ports = opened(Ports.open(settings, loops, contents));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Whoever waits for Redis to answer, if the settings want somebody to. */
  private Heartbeat.Listener readiness(Health health) {
    if (!settings.get(Catalogue.READINESS_NEEDS_REDIS)
        || settings.get(RedisVariables.MAIN.url()).isEmpty()) {
      return answers -> {};
    }
    health.storeAnswers(false);
    return health::storeAnswers;
  }

  private RulesInForce rules(RuleObserver observer, Health health) {
    if (settings.get(Catalogue.FORCE_START_WITHOUT_INITIAL_CONFIG)
        && !settings.get(Catalogue.HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED)) {
      LOG.info(
          "Health does not wait for rules, as the settings say; calls fail until there are some.");
      health.rulesLoaded();
    }
    return new RulesInForce(source.options(), observer);
  }

  private static RateLimiter.Modes modes(Settings settings) {
    boolean eachAlone = !settings.get(Catalogue.STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT);
    if (eachAlone) {
      LOG.info(
          "{} is false: a denied request still takes what its other descriptors allow.",
          Catalogue.STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT.name());
    }
    return new RateLimiter.Modes(
        settings.get(Catalogue.SHADOW_MODE),
        settings.get(Catalogue.QUOTA_MODE),
        eachAlone,
        settings.get(OverloadCatalogue.PRIORITY_DESCRIPTOR_KEY));
  }

  private static int loops(Settings settings) {
    int loops = settings.get(ProcessCatalogue.EVENT_LOOPS);
    return loops > 0 ? loops : EventLoops.standard();
  }

  private <T extends AutoCloseable> T opened(T resource) {
    open.push(resource);
    return resource;
  }

  Settings settings() {
    return settings;
  }

  RuleSource source() {
    return source;
  }

  Optional<RuleBook> rules() {
    return rules.get();
  }

  Ports ports() {
    return ports;
  }

  /** Completes once buckets can be asked, and the process has warmed up. */
  CompletionStage<Void> warm() {
    return warm;
  }

  /** Stops taking calls, lets those in flight finish, and closes everything. */
  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        System.err.println("sluice: closing went wrong: " + e);
      }
    }
  }

  /** Tells health once there are rules. */
  private record Readiness(RuleObserver next, Health health) implements RuleObserver {
    @Override
    public void accepted(RuleBook book) {
      next.accepted(book);
    }

    @Override
    public void loaded(Loading.Loaded loading) {
      next.loaded(loading);
      health.rulesLoaded();
    }

    @Override
    public void isolated(Loading.Isolated loading) {
      next.isolated(loading);
      health.rulesLoaded();
    }

    @Override
    public void rejected(Loading.Rejected loading) {
      next.rejected(loading);
    }
  }
}
