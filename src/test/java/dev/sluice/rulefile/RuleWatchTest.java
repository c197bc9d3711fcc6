package dev.sluice.rulefile;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.sluice.rule.RuleBook;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleWatchTest {
  private static final int LOOKS_UNTIL_CONTENTS_ARE_COMPARED = 20;

  @TempDir private Path home;
  private final RecordingRuleObserver told = new RecordingRuleObserver();
  private final RulesInForce rules = new RulesInForce(RuleOptions.STRICT, told);
  private RuleWatch watch;

  @BeforeEach
  void watchHome() {
    watch = new RuleWatch(new RuleDirectory(home), rules);
  }

  @AfterEach
  void close() {
    watch.close();
  }

  @Test
  void nothingIsTakenBeforeTwoLooksHaveSeenTheSame() throws IOException {
    write("a.yaml", OneLimit.file("aa", 1));

    watch.look();
    assertThat(rules.get()).isEmpty();
    watch.look();
    assertThat(limitOf("aa")).isEqualTo(1);
  }

  @Test
  void aFileThatIsStillBeingWrittenIsNotTaken() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));

    for (String part : List.of("dom", "domain: aa\ndesc", "domain: aa\ndescriptors: [{")) {
      write("a.yaml", part);
      watch.look();
    }
    write("a.yaml", OneLimit.file("aa", 2));
    watch.look();
    watch.look();

    assertThat(limitOf("aa")).isEqualTo(2);
    assertThat(told.rejected).isEmpty();
  }

  @Test
  void aFileThatIsEditedInPlaceIsTaken() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));
    settled("a.yaml", OneLimit.file("aa", 20));

    assertThat(limitOf("aa")).isEqualTo(20);
    assertThat(told.loaded).hasSize(2);
  }

  @Test
  void aFileThatIsAddedIsTaken() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));
    settled("b.yml", OneLimit.file("bb", 2));

    assertThat(inForce().domains()).containsExactly("aa", "bb");
  }

  @Test
  void aFileThatIsDeletedTakesItsDomainAlong() throws IOException {
    write("b.yaml", OneLimit.file("bb", 2));
    settled("a.yaml", OneLimit.file("aa", 1));

    Files.delete(home.resolve("b.yaml"));
    settle();

    assertThat(inForce().domains()).containsExactly("aa");
  }

  @Test
  void aFileThatAnotherIsRenamedOverIsTaken() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));

    write("a.yaml.tmp", OneLimit.file("aa", 2));
    Files.move(home.resolve("a.yaml.tmp"), home.resolve("a.yaml"), REPLACE_EXISTING);
    settle();

    assertThat(limitOf("aa")).isEqualTo(2);
  }

  @Test
  void aConfigMapThatIsSwappedIsTakenInOneStep() throws IOException {
    Path old = Files.createDirectory(home.resolve("..2031_01_01"));
    Path fresh = Files.createDirectory(home.resolve("..2031_01_02"));
    Files.writeString(old.resolve("rules.yaml"), OneLimit.file("kube", 100_000));
    Files.writeString(fresh.resolve("rules.yaml"), OneLimit.file("kube", 3));
    Files.createSymbolicLink(home.resolve("..data"), Path.of("..2031_01_01"));
    Files.createSymbolicLink(home.resolve("rules.yaml"), Path.of("..data", "rules.yaml"));
    settle();
    assertThat(limitOf("kube")).isEqualTo(100_000);

    Files.createSymbolicLink(home.resolve("..data_tmp"), Path.of("..2031_01_02"));
    Files.move(home.resolve("..data_tmp"), home.resolve("..data"), REPLACE_EXISTING);
    Files.delete(old.resolve("rules.yaml"));
    Files.delete(old);
    settle();

    assertThat(limitOf("kube")).isEqualTo(3);
    assertThat(told.loaded).hasSize(2);
    assertThat(told.rejected).isEmpty();
  }

  @Test
  void aBrokenSetLeavesTheOldRulesInForceAndIsReportedOnce() throws IOException {
    write("b.yaml", OneLimit.file("bb", 1));
    settled("a.yaml", OneLimit.file("aa", 1));
    write("b.yaml", OneLimit.file("bb", 2));
    settled("a.yaml", "domain: [");

    look(3 * LOOKS_UNTIL_CONTENTS_ARE_COMPARED);

    assertThat(limitOf("aa")).isEqualTo(1);
    assertThat(limitOf("bb")).isEqualTo(1);
    assertThat(told.rejected).hasSize(1);
    assertThat(told.loaded).hasSize(1);
  }

  @Test
  void aBrokenSetThatIsMendedIsTaken() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));
    settled("a.yaml", "domain: [");
    settled("a.yaml", OneLimit.file("aa", 2));

    assertThat(limitOf("aa")).isEqualTo(2);
    assertThat(told.loaded).hasSize(2);
  }

  @Test
  void aBrokenSetThatIsTakenBackIsOver() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));
    settled("a.yaml", "domain: [");
    settled("a.yaml", OneLimit.file("aa", 1));

    assertThat(limitOf("aa")).isEqualTo(1);
    assertThat(told.loaded).as("it says so, since it said that it was broken").hasSize(2);
  }

  @Test
  void aFileThatIsEmptiedAmongGoodOnesLeavesTheOldRulesInForce() throws IOException {
    write("b.yaml", OneLimit.file("bb", 1));
    settled("a.yaml", OneLimit.file("aa", 1));
    write("a.yaml", OneLimit.file("aa", 2));
    settled("b.yaml", "");

    assertThat(limitOf("aa")).isEqualTo(1);
    assertThat(limitOf("bb")).isEqualTo(1);
    assertThat(told.rejected).hasSize(1);
  }

  @Test
  void aFileInADirectoryThatIsAddedBelowIsTaken() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));
    Files.createDirectories(home.resolve("team/one"));
    settled("team/one/b.yaml", OneLimit.file("bb", 2));

    assertThat(inForce().domains()).containsExactly("aa", "bb");
  }

  @Test
  void theLinkToTheRootMayBeTurned() throws IOException {
    Path root = home.resolve("current");
    for (int version : List.of(1, 2)) {
      Path config = Files.createDirectories(home.resolve("v" + version + "/ratelimit/config"));
      Files.writeString(config.resolve("a.yaml"), OneLimit.file("aa", version));
    }
    Files.createSymbolicLink(root, Path.of("v1"));
    RulesInForce mine = new RulesInForce(RuleOptions.STRICT, told);
    try (RuleWatch watched =
        new RuleWatch(new RuleDirectory(root.resolve("ratelimit"), "config"), mine)) {
      watched.look();
      watched.look();
      assertThat(OneLimit.in(mine.get().orElseThrow(), "aa")).isEqualTo(1);

      Files.createSymbolicLink(home.resolve("next"), Path.of("v2"));
      Files.move(home.resolve("next"), root, REPLACE_EXISTING);
      watched.look();
      watched.look();
      assertThat(OneLimit.in(mine.get().orElseThrow(), "aa")).isEqualTo(2);
    }
  }

  @Test
  void aFileThatCannotBeReadLeavesTheOldRulesInForce() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));
    Files.delete(home.resolve("a.yaml"));
    Files.createSymbolicLink(home.resolve("a.yaml"), Path.of("nowhere"));
    settled("b.yaml", OneLimit.file("bb", 1));

    assertThat(inForce().domains()).containsExactly("aa");
    assertThat(told.rejected.get(0))
        .extracting(Problem::text)
        .containsExactly(
            "the file cannot be read: it, or what it links to, is not there"
                + " (expected a readable file)");
  }

  @Test
  void aDirectoryThatIsEmptiedKeepsTheLastRules() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));
    Files.delete(home.resolve("a.yaml"));

    look(3 * LOOKS_UNTIL_CONTENTS_ARE_COMPARED);

    assertThat(limitOf("aa")).isEqualTo(1);
    assertThat(told.rejected).hasSize(1);
  }

  @Test
  void otherContentOfTheSameSizeAndTimeIsNoticed() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));
    rewriteUnnoticed(home.resolve("a.yaml"), OneLimit.file("aa", 2));
    settle();

    assertThat(limitOf("aa")).isEqualTo(2);
  }

  @Test
  void itIsNoticedInTheEndWhereTheFileSystemDoesNotTellWhenAFileWasChanged() throws IOException {
    Configuration basic = Configuration.unix().toBuilder().setAttributeViews("basic").build();
    try (FileSystem system = Jimfs.newFileSystem(basic)) {
      home = Files.createDirectory(system.getPath("/rules"));
      watchHome();
      settled("a.yaml", OneLimit.file("aa", 1));
      rewriteUnnoticed(home.resolve("a.yaml"), OneLimit.file("aa", 2));
      settle();
      assertThat(limitOf("aa")).isEqualTo(1);

      look(LOOKS_UNTIL_CONTENTS_ARE_COMPARED);
      assertThat(limitOf("aa")).isEqualTo(2);
    }
  }

  private static void rewriteUnnoticed(Path file, String text) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, time);
  }

  @Test
  void aFileThatIsOnlyTouchedIsNotTakenAgain() throws IOException {
    settled("a.yaml", OneLimit.file("aa", 1));
    Files.setLastModifiedTime(home.resolve("a.yaml"), FileTime.fromMillis(1));
    settle();

    assertThat(told.loaded).hasSize(1);
  }

  @Test
  void aLookThatRunsOutOfMemoryIsNotTheLast() throws IOException {
    RuleObserver failing =
        new RuleObserver() {
          @Override
          public void loaded(Loading.Loaded loading) {}

          @Override
          public void isolated(Loading.Isolated loading) {}

          @Override
          public void rejected(Loading.Rejected loading) {
            throw new OutOfMemoryError("as a file of many gigabytes would");
          }
        };
    RulesInForce mine = new RulesInForce(RuleOptions.STRICT, failing);
    try (RuleWatch watched = new RuleWatch(new RuleDirectory(home), mine)) {
      write("a.yaml", "domain: [");
      watched.look();
      watched.look();
      write("a.yaml", OneLimit.file("aa", 1));
      watched.look();
      watched.look();
    }

    assertThat(mine.get()).isPresent();
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(home.resolve(name), content);
  }

  private void settled(String name, String content) throws IOException {
    write(name, content);
    settle();
  }

  private void settle() {
    look(2);
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      watch.look();
    }
  }

  private RuleBook inForce() {
    return rules.get().orElseThrow();
  }

  private long limitOf(String domain) {
    return OneLimit.in(inForce(), domain);
  }
}
