package dev.sluice.rulefile;

import dev.sluice.rule.RuleBook;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what it was told. Thread-safe. */
final class RecordingRuleObserver implements RuleObserver {
  final List<RuleBook> loaded = new CopyOnWriteArrayList<>();
  final List<Loading.Isolated> isolated = new CopyOnWriteArrayList<>();
  final List<List<Problem>> rejected = new CopyOnWriteArrayList<>();

  @Override
  public void loaded(Loading.Loaded loading) {
    loaded.add(loading.rules());
  }

  @Override
  public void isolated(Loading.Isolated loading) {
    isolated.add(loading);
  }

  @Override
  public void rejected(Loading.Rejected loading) {
    rejected.add(loading.problems());
  }
}
