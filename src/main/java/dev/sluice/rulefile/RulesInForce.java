package dev.sluice.rulefile;

import dev.sluice.rule.RuleBook;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last good rules. Thread-safe for readers, who see a whole set and never wait; sets are
 * offered by one thread at a time.
 */
public final class RulesInForce implements Supplier<Optional<RuleBook>> {
  private final RuleOptions options;
  private final Isolation isolation;
  private final RuleObserver observer;
  private volatile @Nullable RuleBook rules;

  /** No rules yet. */
  public RulesInForce(RuleOptions options, RuleObserver observer) {
    this.options = options;
    this.isolation = new Isolation(options);
    this.observer = observer;
  }

  /** The rules; empty until a good set has been offered. */
  @Override
  public Optional<RuleBook> get() {
    return Optional.ofNullable(rules);
  }

  /** Puts a set of files in force, as far as it is good and the policy allows. */
  public Loading offer(String directory, List<RuleText> texts) {
    Loading loading =
        options.policy() == RuleOptions.Policy.ISOLATE
            ? isolation.read(directory, texts)
            : RuleFiles.read(directory, texts, options);
    if (loading instanceof Loading.Loaded loaded) {
      observer.accepted(loaded.rules());
      rules = loaded.rules();
      observer.loaded(loaded);
    } else if (loading instanceof Loading.Isolated isolated) {
      observer.accepted(isolated.rules());
      rules = isolated.rules();
      observer.isolated(isolated);
    } else if (loading instanceof Loading.Rejected rejected) {
      observer.rejected(rejected);
    }
    return loading;
  }
}
