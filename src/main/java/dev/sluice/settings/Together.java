package dev.sluice.settings;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is wrong with settings that are good each on its own. */
final class Together {
  private Together() {}

  /** Every problem, in the words of {@link SettingException}. */
  static List<String> problems(Settings settings) {
    List<String> problems = new ArrayList<>();
    Optional<URI> redis = settings.get(Catalogue.REDIS_URL);
    boolean socket = redis.filter(url -> url.getScheme().equals("unix")).isPresent();
    String type = settings.get(Catalogue.REDIS_SOCKET_TYPE);
    if (redis.isPresent() && !type.isEmpty() && socket != type.equals("unix")) {
      problems.add(
          String.format(
              "REDIS_SOCKET_TYPE is '%s' (expected %s, since REDIS_URL is %s)",
              type, socket ? "unix" : "tcp", socket ? "a path" : "no path"));
    }
    if (socket && settings.get(Catalogue.REDIS_TLS)) {
      problems.add("REDIS_TLS is 'true' (expected false, since REDIS_URL is a path)");
    }
    alone(settings, Catalogue.REDIS_TLS_CLIENT_CERT, Catalogue.REDIS_TLS_CLIENT_KEY, problems);
    alone(settings, Catalogue.REDIS_TLS_CLIENT_KEY, Catalogue.REDIS_TLS_CLIENT_CERT, problems);
    alone(settings, ControlPlaneCatalogue.TLS_CERT, ControlPlaneCatalogue.TLS_KEY, problems);
    alone(settings, ControlPlaneCatalogue.TLS_KEY, ControlPlaneCatalogue.TLS_CERT, problems);
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
