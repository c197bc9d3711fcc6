package dev.sluice.guard;

import java.util.ArrayList;
import java.util.List;

/** Alarms that ring when a test says so. */
final class ManualAlarm implements Alarm {
  final List<Long> set = new ArrayList<>();
  private final List<Runnable> pending = new ArrayList<>();

  @Override
  public Runnable set(long nanos, Runnable ring) {
    set.add(nanos);
    pending.add(ring);
    return () -> pending.remove(ring);
  }

  int pending() {
    return pending.size();
  }

  /** Lets all of them ring. */
  void ring() {
    List<Runnable> due = List.copyOf(pending);
    pending.clear();
    due.forEach(Runnable::run);
  }
}
