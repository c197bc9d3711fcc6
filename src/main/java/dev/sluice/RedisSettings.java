package dev.sluice;

import dev.sluice.redis.RedisAddress;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Setting;
import dev.sluice.settings.Settings;
import java.nio.file.Path;
import java.util.Optional;

/** Which Redis the settings name. */
final class RedisSettings {
  private RedisSettings() {}

  /** Its address; empty where they name none. */
  static Optional<RedisAddress> address(Settings settings) {
    return settings
        .get(Catalogue.REDIS_URL)
        .map(
            url ->
                new RedisAddress(
                    url,
                    settings.get(Catalogue.REDIS_AUTH),
                    tls(settings),
                    settings.get(Catalogue.REDIS_TIMEOUT)));
  }

  private static RedisAddress.Tls tls(Settings settings) {
    Optional<RedisAddress.Certificate> certificate =
        file(settings, Catalogue.REDIS_TLS_CLIENT_CERT)
            .flatMap(
                chain ->
                    file(settings, Catalogue.REDIS_TLS_CLIENT_KEY)
                        .map(key -> new RedisAddress.Certificate(chain, key)));
    return new RedisAddress.Tls(
        settings.get(Catalogue.REDIS_TLS),
        file(settings, Catalogue.REDIS_TLS_CACERT),
        certificate,
        settings.get(Catalogue.REDIS_TLS_SKIP_HOSTNAME_VERIFICATION));
  }

  private static Optional<Path> file(Settings settings, Setting<String> setting) {
    return Optional.of(settings.get(setting)).filter(it -> !it.isEmpty()).map(Path::of);
  }
}
