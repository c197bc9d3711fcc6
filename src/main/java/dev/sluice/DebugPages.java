package dev.sluice;

import dev.sluice.admin.Route;
import dev.sluice.log.RootLevel;
import dev.sluice.rule.RuleBook;
import dev.sluice.rule.RuleListing;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.SettingException;
import dev.sluice.telemetry.Metrics;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What the debug port has to say, as plain text. */
final class DebugPages {
  private static final Map<String, String> MEANINGS =
      Map.of(
          "/rlconfig", "the rules in force",
          "/stats", "all metrics",
          "/threads", "what every thread does",
          "/loglevel", "the level of the log; PUT or POST sets another: /loglevel?level=debug",
          "/version", "of Sluice and of Java");

  private final Supplier<Optional<RuleBook>> rules;
  private final Metrics metrics;
  private final RootLevel level;

  DebugPages(Supplier<Optional<RuleBook>> rules, Metrics metrics, RootLevel level) {
    this.rules = rules;
    this.metrics = metrics;
    this.level = level;
  }

  /** Every page by its path. */
  Map<String, Route> routes() {
    Map<String, Route> routes = new HashMap<>();
    routes.put("/", text(DebugPages::contents));
    routes.put("/rlconfig", text(() -> rules.get().map(RuleListing::of).orElse("")));
    routes.put("/stats", request -> CompletableFuture.completedFuture(stats()));
    routes.put("/threads", text(DebugPages::threads));
    routes.put("/loglevel", request -> CompletableFuture.completedFuture(level(request)));
    routes.put("/version", text(DebugPages::version));
    return Map.copyOf(routes);
  }

  private Route.Reply stats() {
    return new Route.Reply(200, Route.Reply.PLAIN, metrics.page("")::writeTo);
  }

  private static Route text(Supplier<String> text) {
    return request -> CompletableFuture.completedFuture(Route.Reply.text(200, text.get()));
  }

  private static String contents() {
    return MEANINGS.entrySet().stream()
        .map(it -> it.getKey() + ": " + it.getValue() + "\n")
        .sorted()
        .collect(Collectors.joining());
  }

  private Route.Reply level(Route.Request request) {
    return switch (request.method()) {
      case "GET", "HEAD" -> Route.Reply.text(200, level.get() + "\n");
      case "PUT", "POST" -> set(request.parameter("level").orElse(request.body()).strip());
      default -> Route.Reply.text(405, "Method Not Allowed: expected GET, PUT or POST\n");
    };
  }

  private Route.Reply set(String text) {
    try {
      level.set(Catalogue.LOG_LEVEL.read(text));
      return Route.Reply.text(200, level.get() + "\n");
    } catch (SettingException e) {
      return Route.Reply.text(400, "Bad Request: " + e.getMessage() + "\n");
    }
  }

  private static String threads() {
    return Thread.getAllStackTraces().entrySet().stream()
        .sorted(Comparator.comparing(it -> it.getKey().getName()))
        .map(it -> thread(it.getKey(), it.getValue()))
        .collect(Collectors.joining("\n"));
  }

  private static String thread(Thread thread, StackTraceElement[] stack) {
    StringBuilder text = new StringBuilder();
    text.append(thread.getName()).append(' ').append(thread.getState()).append('\n');
    for (StackTraceElement frame : stack) {
      text.append("  at ").append(frame).append('\n');
    }
    return text.toString();
  }

  private static String version() {
    return String.format(
        "sluice %s, Java %s\n",
        System.getProperty("sluice.version", "development"), System.getProperty("java.version"));
  }
}
