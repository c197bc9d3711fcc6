package dev.sluice.rulefile;

import dev.sluice.rule.RuleBook;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The last good set of rules. Thread-safe: readers see a whole set, and never wait. */
public final class RulesInForce implements Supplier<Optional<RuleBook>> {
  private final RuleObserver observer;
  private volatile @Nullable RuleBook rules;

  /** No rules yet. */
  public RulesInForce(RuleObserver observer) {
    this.observer = observer;
  }

  /** These rules until a set of files is good. */
  public RulesInForce(RuleObserver observer, RuleBook first) {
    this.observer = observer;
    rules = first;
  }

  /** The rules; empty until a good set has been offered. */
  @Override
  public Optional<RuleBook> get() {
    return Optional.ofNullable(rules);
  }

  /** Puts a set of files in force if all of them are good; else nothing changes. */
  public Loading offer(String directory, List<RuleText> texts) {
    Loading loading = RuleFiles.read(directory, texts);
    if (loading instanceof Loading.Loaded loaded) {
      rules = loaded.rules();
      observer.loaded(loaded.rules());
    } else if (loading instanceof Loading.Rejected rejected) {
      observer.rejected(rejected.problems());
    }
    return loading;
  }
}
