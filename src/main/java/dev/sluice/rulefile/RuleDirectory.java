package dev.sluice.rulefile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The rule files in a directory and in those below it: what has a name that ends in .yaml or .yml.
 * What begins with a dot is not there.
 *
 * <p>Links to files are followed, so a Kubernetes ConfigMap is seen through its {@code ..data} link
 * and not beside it. One that cannot be read, such as a link that leads nowhere, is there all the
 * same: it is unreadable, and not as if it had been deleted. Links to directories are not followed,
 * but for the directory itself. The files are in the order of their paths.
 */
public final class RuleDirectory {
  private final Path root;
  private final String beginning;
  private final Path start;

  /**
   * Everything in a directory. It need not exist; where it does not or cannot be read, it has no
   * files.
   */
  public RuleDirectory(Path directory) {
    this(directory, "");
  }

  /**
   * What is below a directory and has a path that begins so, as the reference server compares them:
   * {@code config} is the beginning of {@code config/api.yaml} and of {@code config.api.yaml}, and
   * not of {@code configuration/api.yaml}. An empty beginning is that of every path.
   */
  public RuleDirectory(Path root, String beginning) {
    this.root = root;
    this.beginning = dotted(root.getFileSystem().getPath(beginning).normalize());
    start = beginning.isEmpty() ? root : root.resolve(beginning);
  }

  /** The name of the directory, for messages. */
  public String name() {
    return start.toString();
  }

  /** What the files contain now. */
  public List<RuleText> read() {
    return list().rules.stream().map(RuleDirectory::read).toList();
  }

  /**
   * What can be told without reading the files.
   *
   * @param marks what tells one state of the files from another: names, targets, sizes and times
   * @param others what is beside the rule files, and is none of them
   */
  record Look(List<String> marks, List<String> others) {
    static final Look NOTHING = new Look(List.of(), List.of());
  }

  /** What is there now. */
  Look look() {
    Listing listing = list();
    return new Look(
        listing.rules.stream().map(RuleDirectory::mark).toList(),
        listing.others.stream().map(Path::toString).toList());
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

  /** What is there, in order: rule files, and the rest. */
  private record Listing(List<Path> rules, List<Path> others) {}

  private Listing list() {
    Listing listing = new Listing(new ArrayList<>(), new ArrayList<>());
    collect(root, listing);
    Collections.sort(listing.rules);
    Collections.sort(listing.others);
    return listing;
  }

  /** One below the root that cannot be listed is unreadable, like a file. */
  private void collect(Path directory, Listing listing) {
    try (Stream<Path> entries = Files.list(directory)) {
      entries.forEach(entry -> sort(entry, listing));
    } catch (IOException | UncheckedIOException e) {
      if (!directory.equals(root)) {
        listing.rules.add(directory);
      }
    }
  }

  private void sort(Path entry, Listing listing) {
    String name = entry.getFileName().toString();
    if (name.startsWith(".")) {
      return;
    }
    String path = dotted(root.relativize(entry));
    boolean within = begins(path, beginning);
    if (isDirectory(entry) && !isRule(name)) {
      if (within || begins(beginning, path)) {
        collect(entry, listing);
      }
    } else if (within) {
      (isRule(name) ? listing.rules : listing.others).add(entry);
    }
  }

  private boolean isDirectory(Path entry) {
    return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
        || (entry.equals(start) && Files.isDirectory(entry));
  }

  private static boolean isRule(String name) {
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }

  private static boolean begins(String path, String beginning) {
    return beginning.isEmpty() || (path + ".").startsWith(beginning + ".");
  }

  private static String dotted(Path path) {
    return path.toString().replace(path.getFileSystem().getSeparator(), ".");
  }
}
