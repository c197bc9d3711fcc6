package dev.sluice.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testing.RecordedLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileWatchTest {
  @TempDir private Path home;
  private Path first = Path.of("");
  private Path second = Path.of("");
  private final List<List<String>> taken = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    first = Files.writeString(home.resolve("first"), "a");
    second = Files.writeString(home.resolve("second"), "b");
  }

  @Test
  void filesAreTakenAtOnceAndThenOnlyWhenTheyChange() {
    FileWatch watch = watch();
    watch.again();
    watch.again();

    assertThat(taken).containsExactly(List.of("a", "b"));
  }

  @Test
  void filesThatAreStillBeingWrittenAreLeftAlone() throws IOException {
    FileWatch watch = watch();
    Files.writeString(first, "c");
    watch.again();
    Files.writeString(second, "d");
    watch.again();
    assertThat(taken).hasSize(1);
    watch.again();

    assertThat(taken).containsExactly(List.of("a", "b"), List.of("c", "d"));
  }

  @Test
  void filesThatCannotBeUsedAreSaidOnceAndThoseAfterAreTaken() throws IOException {
    FileWatch watch = watch();
    try (RecordedLog log = RecordedLog.of("dev.sluice.tls.FileWatch")) {
      Files.writeString(first, "bad");
      for (int i = 0; i < 5; i++) {
        watch.again();
      }
      assertThat(log.count("FIRST is '" + first + "': it is bad")).isEqualTo(1);
      Files.writeString(first, "a");
      watch.again();
      watch.again();

      assertThat(taken).hasSize(2);
    }
  }

  @Test
  void aFileThatIsGoneForAMomentChangesNothing() throws IOException {
    FileWatch watch = watch();
    Files.delete(first);
    watch.again();
    Files.writeString(first, "a");
    watch.again();
    watch.again();

    assertThat(taken).hasSize(1);
  }

  @Test
  void filesThatCannotBeUsedAtFirstAreAFailure() throws IOException {
    Files.delete(second);

    assertThatThrownBy(this::watch)
        .isInstanceOf(TlsException.class)
        .hasMessage("SECOND is '" + second + "': there is no such file");
  }

  private FileWatch watch() {
    PemFile one = new PemFile("FIRST", first);
    return new FileWatch(
        List.of(one, new PemFile("SECOND", second)),
        texts -> {
          if (texts.contains("bad")) {
            throw one.bad("it is bad");
          }
          taken.add(texts);
        });
  }
}
