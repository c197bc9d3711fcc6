package dev.sluice;

import dev.sluice.rulefile.RuleDirectory;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Setting;
import dev.sluice.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where the rule files are. */
final class RuleLocation {
  private static final List<Setting<String>> NAMES =
      List.of(
          Catalogue.RUNTIME_ROOT, Catalogue.RUNTIME_SUBDIRECTORY, Catalogue.RUNTIME_APPDIRECTORY);

  private RuleLocation() {}

  /**
   * The directory on the command line, else what the RUNTIME_ variables name, else config/ where
   * Sluice lives.
   *
   * <p>With RUNTIME_WATCH_ROOT the reference server takes what is below the subdirectory and begins
   * with the name of the application; without it, what is in the directory of that name.
   */
  static RuleDirectory of(Settings settings, Optional<Path> given) {
    if (given.isPresent()) {
      return new RuleDirectory(given.get());
    }
    if (NAMES.stream().noneMatch(settings::isSet)) {
      return new RuleDirectory(Path.of(System.getProperty("sluice.home", "."), "config"));
    }
    Path below =
        Path.of(settings.get(Catalogue.RUNTIME_ROOT), settings.get(Catalogue.RUNTIME_SUBDIRECTORY));
    String application = settings.get(Catalogue.RUNTIME_APPDIRECTORY);
    return settings.get(Catalogue.RUNTIME_WATCH_ROOT)
        ? new RuleDirectory(below, application)
        : new RuleDirectory(below.resolve(application));
  }
}
