package dev.sluice.tls;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that are looked at again and again, and taken when they have changed. A change is taken
 * when two looks have seen the same, so that files are not taken while they are written one after
 * the other. What cannot be used is said once, and what was taken before stays.
 *
 * <p>Only one thread may look.
 */
final class FileWatch {
  private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

  private final List<PemFile> files;
  private final Consumer<List<String>> taker;
  private Look taken;
  private Look last;

  /** What a look has seen: the texts of the files, or why there are none. */
  private record Look(List<String> texts, @Nullable TlsException problem) {
    boolean isSameAs(Look other) {
      return texts.equals(other.texts) && Objects.equals(reason(), other.reason());
    }

    private @Nullable String reason() {
      return problem == null ? null : problem.getMessage();
    }
  }

  /**
   * A watch that has taken its files once.
   *
   * @param taker takes the texts of the files, in order; throws TlsException where it cannot
   * @throws TlsException if the files cannot be used
   */
  FileWatch(List<PemFile> files, Consumer<List<String>> taker) {
    this.files = List.copyOf(files);
    this.taker = taker;
    taken = look();
    last = taken;
    take(taken);
  }

  /** Looks once more. */
  void again() {
    Look now = look();
    boolean settled = now.isSameAs(last);
    last = now;
    if (!settled || now.isSameAs(taken)) {
      return;
    }
    taken = now;
    try {
      take(now);
      LOG.info("TLS uses what has changed in {}", names());
    } catch (RuntimeException e) {
      LOG.warn("TLS goes on with what it has: {}", e.getMessage());
    }
  }

  private void take(Look look) {
    if (look.problem != null) {
      throw look.problem;
    }
    taker.accept(look.texts);
  }

  private Look look() {
    try {
      return new Look(files.stream().map(PemFile::read).toList(), null);
    } catch (TlsException e) {
      return new Look(List.of(), e);
    }
  }

  private List<String> names() {
    return files.stream().map(it -> it.path().toString()).toList();
  }
}
