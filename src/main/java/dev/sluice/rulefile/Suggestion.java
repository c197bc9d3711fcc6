package dev.sluice.rulefile;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** What somebody probably meant to write. */
public final class Suggestion {
  private Suggestion() {}

  /** A question such as {@code ", did you mean 'unit'?"}, or nothing where no candidate is near. */
  public static String forWord(String word, Collection<String> candidates) {
    String wanted = word.toLowerCase(Locale.ROOT);
    return candidates.stream()
        .filter(candidate -> distance(wanted, candidate) <= Math.max(1, candidate.length() / 3))
        .min(
            Comparator.comparingInt((String candidate) -> distance(wanted, candidate))
                .thenComparing(it -> it))
        .map(candidate -> ", did you mean '" + candidate + "'?")
        .orElse("");
  }

  private static int distance(String word, String candidate) {
    return LevenshteinDistance.getDefaultInstance().apply(word, candidate);
  }
}
