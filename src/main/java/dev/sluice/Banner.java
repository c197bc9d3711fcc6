package dev.sluice;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.sluice.envoy.EnvoyRateLimitService;
import dev.sluice.rule.Entry;
import dev.sluice.rule.RuleBook;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.RedisVariables;
import dev.sluice.settings.Settings;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a server says once it runs: where it listens, what it loaded, and what to try. */
final class Banner {
  private Banner() {}

  static String of(Application application) {
    Ports ports = application.ports();
    StringBuilder text = new StringBuilder();
    text.append(System.lineSeparator());
    line(text, "Sluice is running.");
    line(text, "  gRPC      %s  (rate limit service, health, reflection)", grpc(application));
    line(text, "  HTTP      localhost:%d  (/json, /healthcheck)", ports.http());
    line(
        text,
        "  metrics   localhost:%d%s",
        ports.metrics(),
        application.settings().get(Catalogue.PROMETHEUS_PATH));
    ports
        .debug()
        .ifPresent(port -> line(text, "  debug     localhost:%d  (/ lists its pages)", port));
    line(text, "  buckets   %s", buckets(application));
    line(text, "  rules     %s", application.source().name());
    Optional<RuleBook> rules = application.rules();
    rules.ifPresentOrElse(
        book -> domains(text, book),
        () ->
            line(
                text,
                "            none are good yet: calls get UNAVAILABLE until %s",
                awaited(application.source())));
    rules.flatMap(Banner::example).ifPresent(example -> tries(text, application, example));
    return text.toString();
  }

  private static String awaited(RuleSource source) {
    return source instanceof RuleSource.Directory
        ? "the problems above are mended"
        : "it has sent some";
  }

  private static String grpc(Application application) {
    Settings settings = application.settings();
    String where =
        settings.isSet(Catalogue.GRPC_UDS)
            ? "unix:" + settings.get(Catalogue.GRPC_UDS)
            : "localhost:" + application.ports().grpc();
    return settings.get(Catalogue.GRPC_SERVER_USE_TLS) ? where + ", TLS" : where;
  }

  /** What grpcurl is told of where to call. */
  private static String call(Application application) {
    Settings settings = application.settings();
    String encryption = settings.get(Catalogue.GRPC_SERVER_USE_TLS) ? "-insecure" : "-plaintext";
    return settings.isSet(Catalogue.GRPC_UDS)
        ? encryption + " -unix " + settings.get(Catalogue.GRPC_UDS)
        : encryption + " localhost:" + application.ports().grpc();
  }

  private static String buckets(Application application) {
    return application.settings().isSet(RedisVariables.MAIN.url())
        ? "in Redis"
        : "in the memory of this process only: REDIS_URL is not set, so replicas do not share them";
  }

  private static void domains(StringBuilder text, RuleBook book) {
    if (book.domains().isEmpty()) {
      line(text, "            no domain yet: every request is allowed until there is one");
    }
    for (String domain : book.domains()) {
      line(text, "            domain %s: %d rules", domain, book.count(domain));
    }
  }

  private static void tries(StringBuilder text, Application application, String example) {
    text.append(System.lineSeparator());
    line(text, "Try:");
    line(text, "  curl -s localhost:%d/json -d '%s'", application.ports().http(), example);
    line(text, "  grpcurl -d '%s' %s %s", example, call(application), EnvoyRateLimitService.METHOD);
    text.append(System.lineSeparator());
  }

  private static Optional<String> example(RuleBook book) {
    return book.domains().stream()
        .flatMap(domain -> book.sample(domain).map(entries -> example(domain, entries)).stream())
        .findFirst();
  }

  private static String example(String domain, List<Entry> entries) {
    String pairs =
        entries.stream()
            .map(
                entry ->
                    String.format("{\"key\":\"%s\",\"value\":\"%s\"}", entry.key(), entry.value()))
            .collect(Collectors.joining(","));
    return String.format("{\"domain\":\"%s\",\"descriptors\":[{\"entries\":[%s]}]}", domain, pairs);
  }

  @FormatMethod
  private static void line(StringBuilder text, @FormatString String format, Object... arguments) {
    text.append(String.format(format, arguments)).append(System.lineSeparator());
  }
}
