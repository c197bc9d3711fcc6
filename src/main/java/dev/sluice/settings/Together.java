package dev.sluice.settings;

import java.util.ArrayList;
import java.util.List;

/** What is wrong with settings that are good each on its own. */
final class Together {
  private Together() {}

  /** Every problem, in the words of {@link SettingException}. */
  static List<String> problems(Settings settings) {
    List<String> problems = new ArrayList<>();
    problems.addAll(RedisVariables.MAIN.problems(settings));
    if (settings.get(Catalogue.REDIS_PERSECOND)) {
      problems.addAll(RedisVariables.PER_SECOND.problems(settings));
      for (Setting<?> url : List.of(RedisVariables.MAIN.url(), RedisVariables.PER_SECOND.url())) {
        if (!settings.isSet(url)) {
          problems.add(url.refusal("", "where it is, since REDIS_PERSECOND is true"));
        }
      }
    }
    alone(settings, Catalogue.REDIS_TLS_CLIENT_CERT, Catalogue.REDIS_TLS_CLIENT_KEY, problems);
    alone(settings, Catalogue.REDIS_TLS_CLIENT_KEY, Catalogue.REDIS_TLS_CLIENT_CERT, problems);
    alone(settings, ControlPlaneCatalogue.TLS_CERT, ControlPlaneCatalogue.TLS_KEY, problems);
    alone(settings, ControlPlaneCatalogue.TLS_KEY, ControlPlaneCatalogue.TLS_CERT, problems);
    problems.addAll(StatsCatalogue.problems(settings));
    return problems;
  }

  private static void alone(
      Settings settings, Setting<?> one, Setting<?> other, List<String> problems) {
    if (settings.isSet(one) && !settings.isSet(other)) {
      problems.add(
          String.format("%s is '' (expected a file, since %s is set)", other.name(), one.name()));
    }
  }
}
