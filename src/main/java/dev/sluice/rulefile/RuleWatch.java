package dev.sluice.rulefile;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the rules in force up to date with a directory.
 *
 * <p>It looks instead of waiting to be told, since notices differ between file systems and some
 * have none. A change is taken once two looks have seen the same, so that a file that is still
 * being written is left alone. Now and then it compares contents as well, for file systems whose
 * times are coarse.
 */
public final class RuleWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RuleWatch.class);
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final int LOOKS_BETWEEN_READS = 20;

  private final RuleDirectory directory;
  private final RulesInForce rules;
  private final ScheduledExecutorService looker =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "sluice-rules");
            thread.setDaemon(true);
            return thread;
          });
  private List<RuleText> taken = List.of();
  private List<String> takenMarks = List.of();
  private List<String> seenMarks = List.of();
  private int looks;

  /** A watch that has not begun. */
  public RuleWatch(RuleDirectory directory, RulesInForce rules) {
    this.directory = directory;
    this.rules = rules;
  }

  /** Takes what is there now, before it returns, and looks for changes from then on. */
  public Loading start() {
    seenMarks = directory.fingerprint();
    takenMarks = seenMarks;
    Loading first = take(directory.read());
    var unused =
        looker.scheduleWithFixedDelay(
            this::look, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    return first;
  }

  private Loading take(List<RuleText> texts) {
    taken = texts;
    return rules.offer(directory.name(), texts);
  }

  /** Looks once, and never throws: that would be the last look. Called by one thread at a time. */
  void look() {
    try {
      List<String> marks = directory.fingerprint();
      boolean settled = marks.equals(seenMarks);
      seenMarks = marks;
      if (settled && (!marks.equals(takenMarks) || isTimeToRead())) {
        compare(marks);
      }
    } catch (RuntimeException | VirtualMachineError e) {
      LOG.error("The rule files in {} could not be taken", directory.name(), e);
    }
  }

  private boolean isTimeToRead() {
    looks = (looks + 1) % LOOKS_BETWEEN_READS;
    return looks == 0;
  }

  /** Takes what is there if it is new, and did not change while it was read. */
  private void compare(List<String> marks) {
    List<RuleText> texts = directory.read();
    if (!directory.fingerprint().equals(marks)) {
      return;
    }
    takenMarks = marks;
    if (!texts.equals(taken)) {
      take(texts);
    }
  }

  /** Stops looking. A look that has begun is finished, since a file cut short would look broken. */
  @Override
  public void close() {
    looker.shutdown();
  }
}
