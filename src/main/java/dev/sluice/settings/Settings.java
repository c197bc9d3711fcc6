package dev.sluice.settings;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The settings of this process: what its environment says, and the standard for the rest.
 * Immutable.
 */
public final class Settings {
  private final Map<String, String> environment;

  private Settings(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * The settings in an environment.
   *
   * @throws SettingException naming every variable whose value means nothing
   */
  public static Settings of(Map<String, String> environment) {
    Settings settings = new Settings(Map.copyOf(environment));
    List<String> problems =
        Catalogue.all().stream().flatMap(setting -> settings.problem(setting).stream()).toList();
    if (!problems.isEmpty()) {
      throw new SettingException(
          problems.stream().collect(Collectors.joining(System.lineSeparator())));
    }
    return settings;
  }

  /** The value of a setting. A variable that is set to nothing counts as unset. */
  public <T> T get(Setting<T> setting) {
    return setting.read(text(setting));
  }

  /** Whether the environment says something about the setting. */
  public boolean isSet(Setting<?> setting) {
    return !Objects.requireNonNullElse(environment.get(setting.name()), "").isEmpty();
  }

  private String text(Setting<?> setting) {
    return isSet(setting)
        ? Objects.requireNonNull(environment.get(setting.name()))
        : setting.standard();
  }

  private List<String> problem(Setting<?> setting) {
    try {
      get(setting);
      return List.of();
    } catch (SettingException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }
}
