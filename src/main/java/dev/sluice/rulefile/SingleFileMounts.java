package dev.sluice.rulefile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Files that are mounted each by itself. Linux tells which; elsewhere there are none.
 *
 * <p>A mount holds on to the file that it was made of. The kubelet changes a ConfigMap by putting
 * other files in its place, so one that is mounted with subPath never changes.
 */
final class SingleFileMounts {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");
  private static final int MOUNT_POINT = 4;

  private SingleFileMounts() {}

  /** The names of those among the files. */
  static List<String> among(List<RuleText> texts) {
    try {
      return among(texts, Files.readAllLines(MOUNTS));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The same with the lines of a mountinfo file. */
  static List<String> among(List<RuleText> texts, List<String> mountinfo) {
    Set<String> points =
        mountinfo.stream()
            .map(line -> line.split(" ", -1))
            .filter(fields -> fields.length > MOUNT_POINT)
            .map(fields -> unescaped(fields[MOUNT_POINT]))
            .collect(Collectors.toSet());
    return texts.stream()
        .map(RuleText::file)
        .filter(file -> points.contains(Path.of(file).toAbsolutePath().normalize().toString()))
        .toList();
  }

  private static String unescaped(String text) {
    return ESCAPE
        .matcher(text)
        .replaceAll(
            it ->
                Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(it.group(1), 8))));
  }
}
