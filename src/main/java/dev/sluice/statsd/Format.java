package dev.sluice.statsd;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How a figure is written as a line. Immutable. */
public abstract class Format {
  private static final Pattern NOT_IN_A_KEY = Pattern.compile("[.:|=,#\\p{Cntrl}]");
  private static final Pattern NOT_IN_A_VALUE = Pattern.compile("[.:|\\p{Cntrl}]");
  private static final Pattern NOT_IN_A_DOG_TAG = Pattern.compile("[|,#\\p{Cntrl}]");
  private static final Pattern NOT_IN_A_NAME = Pattern.compile("[:|\\p{Cntrl}]");

  private Format() {}

  /**
   * The format of statsd, with tags in the name, as the reference server's: {@code
   * name.__key=value:1|c}.
   *
   * @param tags that every figure has
   */
  public static Format statsd(List<Tag> tags) {
    return new Plain(tags);
  }

  /**
   * That of DogStatsD: {@code name:1|c|#key:value}.
   *
   * @param tags that every figure has
   * @param mogrifiers of which the first that finds its pattern makes name and more tags
   */
  public static Format dogStatsd(List<Tag> tags, List<Mogrifier> mogrifiers) {
    return new Dog(tags, mogrifiers);
  }

  /**
   * A line with its end.
   *
   * @param value with its kind, such as {@code 1|c}
   */
  abstract String line(String name, String value);

  /** The tags of every figure as the reference server writes them, in the order of their keys. */
  private static List<Tag> fit(List<Tag> tags) {
    return tags.stream()
        .map(
            tag ->
                new Tag(
                    NOT_IN_A_KEY.matcher(tag.key()).replaceAll("_"),
                    NOT_IN_A_VALUE.matcher(tag.value()).replaceAll("_")))
        .sorted(Comparator.comparing(Tag::key))
        .toList();
  }

  private static final class Plain extends Format {
    private final String suffix;

    Plain(List<Tag> tags) {
      suffix =
          fit(tags).stream()
              .map(tag -> ".__" + tag.key() + "=" + tag.value())
              .collect(Collectors.joining());
    }

    @Override
    String line(String name, String value) {
      return name + suffix + ":" + value + "\n";
    }
  }

  private static final class Dog extends Format {
    private final List<Tag> tags;
    private final List<Mogrifier> mogrifiers;

    Dog(List<Tag> tags, List<Mogrifier> mogrifiers) {
      this.tags = fit(tags);
      this.mogrifiers = List.copyOf(mogrifiers);
    }

    @Override
    String line(String name, String value) {
      Mogrifier.Made made =
          mogrifiers.stream()
              .map(it -> it.of(name))
              .flatMap(Optional::stream)
              .findFirst()
              .orElseGet(() -> new Mogrifier.Made(name, List.of()));
      List<Tag> all = new ArrayList<>(tags);
      all.addAll(made.tags());
      String said =
          all.stream()
              .map(tag -> clean(tag.key()) + ":" + clean(tag.value()))
              .collect(Collectors.joining(","));
      String its = NOT_IN_A_NAME.matcher(made.name()).replaceAll("_");
      return its + ":" + value + (said.isEmpty() ? "" : "|#" + said) + "\n";
    }

    private static String clean(String text) {
      return NOT_IN_A_DOG_TAG.matcher(text).replaceAll("_");
    }
  }
}
