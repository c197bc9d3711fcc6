package dev.sluice;

import dev.sluice.redis.RedisAddress;
import dev.sluice.redis.Secret;
import dev.sluice.redis.Topology;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.RedisServers;
import dev.sluice.settings.RedisVariables;
import dev.sluice.settings.Setting;
import dev.sluice.settings.Settings;
import java.nio.file.Path;
import java.util.Optional;

/** Which Redis the settings name. */
final class RedisSettings {
  private RedisSettings() {}

  /** The address of the one for all rules; empty where they name none. */
  static Optional<RedisAddress> address(Settings settings) {
    return address(settings, RedisVariables.MAIN);
  }

  /** The address of the one for rules of a second; empty where it is the same. */
  static Optional<RedisAddress> perSecond(Settings settings) {
    return settings.get(Catalogue.REDIS_PERSECOND)
        ? address(settings, RedisVariables.PER_SECOND)
        : Optional.empty();
  }

  private static Optional<RedisAddress> address(Settings settings, RedisVariables variables) {
    return variables
        .servers(settings)
        .map(
            servers ->
                new RedisAddress(
                    topology(settings, variables, servers),
                    secret(settings, variables.access().auth(), variables.access().authFile()),
                    tls(settings, variables),
                    settings.get(variables.timeout())));
  }

  private static Topology topology(
      Settings settings, RedisVariables variables, RedisServers servers) {
    return switch (servers.type()) {
      case "sentinel" ->
          new Topology.Sentinel(
              servers.primary(),
              servers.urls(),
              secret(
                  settings,
                  variables.access().sentinelAuth(),
                  variables.access().sentinelAuthFile()));
      case "cluster" -> new Topology.Cluster(servers.urls());
      default -> new Topology.Single(servers.urls().get(0));
    };
  }

  private static Secret secret(Settings settings, Setting<String> text, Setting<String> file) {
    return new Secret(settings.get(text), file(settings, file));
  }

  private static RedisAddress.Tls tls(Settings settings, RedisVariables variables) {
    Optional<RedisAddress.Certificate> certificate =
        file(settings, Catalogue.REDIS_TLS_CLIENT_CERT)
            .flatMap(
                chain ->
                    file(settings, Catalogue.REDIS_TLS_CLIENT_KEY)
                        .map(key -> new RedisAddress.Certificate(chain, key)));
    return new RedisAddress.Tls(
        settings.get(variables.tls()),
        file(settings, Catalogue.REDIS_TLS_CACERT),
        certificate,
        settings.get(Catalogue.REDIS_TLS_SKIP_HOSTNAME_VERIFICATION));
  }

  private static Optional<Path> file(Settings settings, Setting<String> setting) {
    return Optional.of(settings.get(setting)).filter(it -> !it.isEmpty()).map(Path::of);
  }
}
