package dev.sluice.decision;

import java.util.concurrent.CompletionStage;

/** Decides requests. Thread-safe; never blocks. */
public interface Limiter {
  /** Decides a request. The stage fails only if what decides it does. */
  CompletionStage<Answer> decide(Query query);
}
