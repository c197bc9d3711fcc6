package dev.sluice.rulefile;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The rule files in one directory: those whose names end in .yaml or .yml and do not begin with a
 * dot.
 *
 * <p>Links are followed, so a Kubernetes ConfigMap is seen through its {@code ..data} link and not
 * beside it. One that cannot be read, such as a link that leads nowhere, is there all the same: it
 * is unreadable, and not as if it had been deleted. The files are in the order of their names.
 */
public final class RuleDirectory {
  private final Path directory;

  /** The directory need not exist; where it does not or cannot be read, it has no files. */
  public RuleDirectory(Path directory) {
    this.directory = directory;
  }

  /** The name of the directory, for messages. */
  public String name() {
    return directory.toString();
  }

  /** What the files contain now. */
  public List<RuleText> read() {
    return files().stream().map(RuleDirectory::read).toList();
  }

  /**
   * What tells one state of the files from another without reading them: names, targets, sizes and
   * times.
   */
  List<String> fingerprint() {
    return files().stream().map(RuleDirectory::mark).toList();
  }

  private static RuleText read(Path file) {
    if (!Files.isRegularFile(file)) {
      String reason =
          Files.exists(file) ? "it is not a regular file" : "it, or what it links to, is not there";
      return new RuleText.Unreadable(file.toString(), reason);
    }
    try {
      return new RuleText.Read(file.toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
    } catch (IOException e) {
      return new RuleText.Unreadable(file.toString(), e.toString());
    }
  }

  private static String mark(Path file) {
    try {
      return file
          + "|"
          + file.toRealPath()
          + "|"
          + new TreeMap<>(Files.readAttributes(file, what(file)));
    } catch (IOException e) {
      return file + "|" + e;
    }
  }

  /** Where there is a time of change, it tells a change that the file's own time hides. */
  private static String what(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? "unix:ino,size,lastModifiedTime,ctime"
        : "fileKey,size,lastModifiedTime";
  }

  private List<Path> files() {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.filter(RuleDirectory::isRuleFile).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static boolean isRuleFile(Path file) {
    String name = file.getFileName().toString();
    return (name.endsWith(".yaml") || name.endsWith(".yml")) && !name.startsWith(".");
  }
}
