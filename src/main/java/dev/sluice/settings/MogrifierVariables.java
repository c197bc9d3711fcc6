package dev.sluice.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The three variables of one mogrifier, that its name is a part of.
 *
 * @param pattern of the names that it is for
 * @param metric what it makes of them
 * @param tags what it adds
 */
public record MogrifierVariables(
    Setting<Pattern> pattern, Setting<String> metric, Setting<SortedMap<String, String>> tags) {
  /** Those of a name, which they have in capitals. */
  MogrifierVariables(String name) {
    this(
        setting(name, "PATTERN", "a regular expression", Readers::pattern),
        setting(name, "NAME", "the name of a metric", Function.identity()),
        setting(name, "TAGS", "pairs such as a:$1,b:c", Readers::fullTags));
  }

  private static <T> Setting<T> setting(
      String name, String part, String expected, Function<String, T> reader) {
    String variable = "DOG_STATSD_MOGRIFIER_" + name.toUpperCase(Locale.ROOT) + "_" + part;
    return new Setting<>(variable, "", expected, "A part of a mogrifier.", reader);
  }

  /** Every problem, in the words of {@link SettingException}. */
  List<String> problems(Settings settings) {
    List<String> problems = new ArrayList<>();
    for (Setting<?> needed : List.of(pattern, metric)) {
      if (!settings.isSet(needed)) {
        String why = ", since USE_DOG_STATSD_MOGRIFIERS names it";
        problems.add(needed.refusal("", needed.expected() + why));
      }
    }
    for (Setting<?> each : List.of(pattern, metric, tags)) {
      problems.addAll(settings.problem(each));
    }
    return problems;
  }
}
