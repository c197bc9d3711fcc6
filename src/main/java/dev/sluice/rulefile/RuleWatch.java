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
  private RuleDirectory.Look seen = RuleDirectory.Look.NOTHING;
  private List<String> said = List.of();
  private int looks;

  /** A watch that has not begun. */
  public RuleWatch(RuleDirectory directory, RulesInForce rules) {
    this.directory = directory;
    this.rules = rules;
  }

  /** Takes what is there now, before it returns, and looks for changes from then on. */
  public Loading start() {
    LOG.info("Rule files are those in {}, and it is watched.", directory.name());
    seen = directory.look();
    takenMarks = seen.marks();
    sayOthers();
    List<RuleText> texts = directory.read();
    SingleFileMounts.among(texts)
        .forEach(
            file ->
                LOG.warn(
                    "{} is mounted as a single file, as by subPath: it stays as it is when the"
                        + " ConfigMap changes (expected its directory to be mounted)",
                    file));
    Loading first = take(texts);
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
      RuleDirectory.Look now = directory.look();
      boolean settled = now.equals(seen);
      seen = now;
      if (settled) {
        sayOthers();
      }
      if (settled && (!now.marks().equals(takenMarks) || isTimeToRead())) {
        compare(now.marks());
      }
    } catch (RuntimeException | VirtualMachineError e) {
      LOG.error("The rule files in {} could not be taken", directory.name(), e);
    }
  }

  /** Says what is beside the rule files, once for each change. */
  private void sayOthers() {
    if (!seen.others().equals(said)) {
      said = seen.others();
      LOG.info("Not .yaml or .yml, so not read: {}.", said.isEmpty() ? "nothing" : said);
    }
  }

  private boolean isTimeToRead() {
    looks = (looks + 1) % LOOKS_BETWEEN_READS;
    return looks == 0;
  }

  /** Takes what is there if it is new, and did not change while it was read. */
  private void compare(List<String> marks) {
    List<RuleText> texts = directory.read();
    if (!directory.look().marks().equals(marks)) {
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
