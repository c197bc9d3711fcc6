package dev.sluice.statsd;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes another name, and tags, of a name that has them in it. Source: the reference server's
 * mogrifiers. Immutable.
 *
 * @param pattern found anywhere in a name
 * @param name the whole of the new name; {@code $1} stands for what the first group has found
 * @param tags with the like of it in their values
 */
public record Mogrifier(Pattern pattern, String name, List<Tag> tags) {
  private static final Pattern GROUP = Pattern.compile("\\$([0-9]{1,3})");

  /** A name that was made, and the tags that came of it. */
  record Made(String name, List<Tag> tags) {}

  public Mogrifier {
    tags = List.copyOf(tags);
  }

  /** What it makes of a name, if it is for such names. */
  Optional<Made> of(String old) {
    Matcher matcher = pattern.matcher(old);
    if (!matcher.find()) {
      return Optional.empty();
    }
    List<Tag> made = new ArrayList<>();
    tags.forEach(tag -> made.add(new Tag(tag.key(), filled(tag.value(), matcher))));
    return Optional.of(new Made(filled(name, matcher), made));
  }

  /** A group that the pattern has not got stays as it is written. */
  private static String filled(String template, MatchResult found) {
    return GROUP
        .matcher(template)
        .replaceAll(
            it -> {
              int group = Integer.parseInt(it.group(1));
              String text = group > found.groupCount() ? it.group() : found.group(group);
              return Matcher.quoteReplacement(text == null ? "" : text);
            });
  }
}
