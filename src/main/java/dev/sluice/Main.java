package dev.sluice;

import org.jspecify.annotations.NullMarked;

/** The entry point of the process. */
@NullMarked
public final class Main {
  private Main() {}

  /** Runs. */
  public static void main(String[] arguments) {}
}
