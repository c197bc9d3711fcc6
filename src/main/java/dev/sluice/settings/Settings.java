package dev.sluice.settings;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    List<String> single =
        Stream.of(Catalogue.all(), Fixed.all(), WithoutEffect.all())
            .flatMap(List::stream)
            .flatMap(setting -> settings.problem(setting).stream())
            .toList();
    List<String> problems = single.isEmpty() ? Together.problems(settings) : single;
    if (!problems.isEmpty()) {
      throw new SettingException(
          problems.stream().collect(Collectors.joining(System.lineSeparator())));
    }
    return settings;
  }

  /**
   * The same settings but for these variables.
   *
   * @throws SettingException naming every variable whose value means nothing
   */
  public Settings with(Map<String, String> changes) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(changes);
    return of(all);
  }

  /** The value of a setting. A variable that is set to nothing counts as unset. */
  public <T> T get(Setting<T> setting) {
    return setting.read(text(setting));
  }

  /** Whether the environment says something about the setting. */
  public boolean isSet(Setting<?> setting) {
    return !Objects.requireNonNullElse(environment.get(setting.name()), "").isEmpty();
  }

  /** The names of the variables that are set, and that nothing here depends on. Sorted. */
  public List<String> withoutEffect() {
    return environment.entrySet().stream()
        .filter(it -> !it.getValue().isEmpty() && WithoutEffect.has(it.getKey()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private String text(Setting<?> setting) {
    return isSet(setting)
        ? Objects.requireNonNull(environment.get(setting.name()))
        : setting.standard();
  }

  /** What is wrong with a setting, if anything is. */
  List<String> problem(Setting<?> setting) {
    try {
      get(setting);
      return List.of();
    } catch (SettingException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }
}
