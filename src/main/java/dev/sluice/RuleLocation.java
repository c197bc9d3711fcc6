package dev.sluice;

import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Settings;
import java.nio.file.Path;
import java.util.Optional;

/** Where the rule files are. */
final class RuleLocation {
  private RuleLocation() {}

  /**
   * The directory on the command line, else the one that RUNTIME_ROOT begins, else config/ where
   * Sluice lives.
   */
  static Path of(Settings settings, Optional<Path> given) {
    if (given.isPresent()) {
      return given.get();
    }
    if (settings.isSet(Catalogue.RUNTIME_ROOT)) {
      return Path.of(
          settings.get(Catalogue.RUNTIME_ROOT),
          settings.get(Catalogue.RUNTIME_SUBDIRECTORY),
          settings.get(Catalogue.RUNTIME_APPDIRECTORY));
    }
    return Path.of(System.getProperty("sluice.home", "."), "config");
  }
}
