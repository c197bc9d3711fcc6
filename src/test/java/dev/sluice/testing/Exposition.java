package dev.sluice.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of metrics in the text format 0.0.4, read strictly: whatever Prometheus would refuse fails
 * here.
 *
 * @param types by name of the family
 * @param samples by name and labels, written as {@code name{a="b",c="d"}} with sorted labels
 * @param lines how many lines the page has
 */
public record Exposition(Map<String, String> types, Map<String, Double> samples, int lines) {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\"\\\\n])*)\"(?:,|$)");
  private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary");

  /** The page at an address. */
  public static Exposition at(URI address) {
    try {
      HttpRequest request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(20)).build();
      return parse(CLIENT.send(request, BodyHandlers.ofString()).body());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The page that a text is. */
  public static Exposition parse(String page) {
    Map<String, String> types = new HashMap<>();
    Map<String, Double> samples = new LinkedHashMap<>();
    List<String> lines = List.of(page.split("\n", -1));
    for (String line : lines.subList(0, lines.size() - 1)) {
      if (line.startsWith("# TYPE ")) {
        String[] words = line.split(" ", -1);
        require(words.length == 4 && TYPES.contains(words[3]), line);
        require(types.put(words[2], words[3]) == null, "twice: " + line);
      } else if (!line.startsWith("# HELP ")) {
        Matcher sample = SAMPLE.matcher(line);
        require(sample.matches(), line);
        String labels = sample.group(2) == null ? "" : sample.group(2);
        String series = sample.group(1) + sorted(labels);
        require(samples.put(series, number(sample.group(3))) == null, "twice: " + line);
      }
    }
    require(lines.get(lines.size() - 1).isEmpty(), "the last line has no end");
    return new Exposition(types, samples, lines.size() - 1);
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private static String sorted(String labels) {
    Map<String, String> pairs = new TreeMap<>();
    Matcher label = LABEL.matcher(labels);
    int end = 0;
    while (label.find() && label.start() == end) {
      require(pairs.put(label.group(1), label.group(2)) == null, labels);
      end = label.end();
    }
    require(end == labels.length(), labels);
    StringBuilder text = new StringBuilder();
    pairs.forEach(
        (name, value) ->
            text.append(text.isEmpty() ? "{" : ",").append(name + "=\"" + value + "\""));
    return text.isEmpty() ? "" : text + "}";
  }

  private static void require(boolean holds, String line) {
    if (!holds) {
      throw new AssertionError("no line of metrics: " + line);
    }
  }

  /** The value of a series, whose labels are sorted. */
  public double value(String series) {
    Double value = samples.get(series);
    if (value == null) {
      throw new AssertionError("there is no " + series + " in " + samples.keySet());
    }
    return value;
  }

  /** Every series whose name and labels begin like this, in the order of the page. */
  public Map<String, Double> beginning(String start) {
    Map<String, Double> found = new LinkedHashMap<>(samples);
    found.keySet().removeIf(series -> !series.startsWith(start));
    return found;
  }

  /** The names that samples have, without labels. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    samples.keySet().forEach(series -> names.add(series.replaceAll("\\{.*", "")));
    return names;
  }
}
