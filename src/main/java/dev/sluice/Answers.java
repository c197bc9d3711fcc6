package dev.sluice;

import dev.sluice.envoy.AnswerFormat;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Settings;
import java.util.Optional;

/** What the settings say of answers. */
final class Answers {
  private Answers() {}

  static AnswerFormat format(Settings settings) {
    return new AnswerFormat(
        limitHeaders(settings),
        settings.get(Catalogue.IETF_RATELIMIT_HEADERS),
        settings.get(Catalogue.RETRY_AFTER_HEADER),
        settings.get(Catalogue.RESPONSE_DYNAMIC_METADATA),
        settings.get(Catalogue.QUOTA_MODE),
        settings.get(Catalogue.DEGRADED_HEADER));
  }

  private static Optional<AnswerFormat.LimitHeaders> limitHeaders(Settings settings) {
    if (!settings.get(Catalogue.LIMIT_RESPONSE_HEADERS_ENABLED)) {
      return Optional.empty();
    }
    return Optional.of(
        new AnswerFormat.LimitHeaders(
            settings.get(Catalogue.LIMIT_LIMIT_HEADER),
            settings.get(Catalogue.LIMIT_REMAINING_HEADER),
            settings.get(Catalogue.LIMIT_RESET_HEADER)));
  }
}
