package dev.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A process that a test started: what it said so far is at hand, and it never outlives the test.
 * Thread-safe.
 */
public final class ChildProcess implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofSeconds(60);
  private static final Duration LONGEST_STOP = Duration.ofSeconds(30);

  private final String name;
  private final Process process;
  private final Transcript output;
  private final Transcript errors;

  /**
   * Starts a program.
   *
   * @param directory that it works in
   * @param environment the whole of it, but for PATH and HOME, which are this process's
   */
  public static ChildProcess start(
      Path directory, Map<String, String> environment, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().retainAll(List.of("PATH", "HOME"));
    builder.environment().putAll(environment);
    try {
      return new ChildProcess(command.get(0), builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ChildProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    output = new Transcript(process.getInputStream());
    errors = new Transcript(process.getErrorStream());
  }

  /** What it wrote to its standard output so far. */
  public String output() {
    return output.text();
  }

  /** What it wrote to its standard error so far. */
  public String errors() {
    return errors.text();
  }

  /** Its number. */
  public long pid() {
    return process.pid();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Waits until something is so.
   *
   * @throws AssertionError if the process ends before, or it takes too long; with all that it said
   */
  public void await(String what, BooleanSupplier condition) {
    try {
      Awaitility.await(what)
          .atMost(LONGEST_START)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> condition.getAsBoolean() || !process.isAlive());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(report("waited in vain for: " + what), e);
    }
    if (!condition.getAsBoolean()) {
      awaitTranscripts();
      if (!condition.getAsBoolean()) {
        throw new AssertionError(report("ended before: " + what));
      }
    }
  }

  /** Asks it to stop, as a supervisor does. */
  public void terminate() {
    process.destroy();
  }

  /** Ends it at once: it does not get to do anything about it. */
  public void kill() {
    process.destroyForcibly();
    var unused = exitCode();
  }

  /** Its exit code, once it has ended and all that it said is at hand. */
  public int exitCode() {
    return exitCode(LONGEST_STOP);
  }

  /** Its exit code, if it ends that soon. */
  public int exitCode(Duration atMost) {
    try {
      if (!process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new AssertionError(report("still runs after " + atMost));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(report("was not waited for"), e);
    }
    awaitTranscripts();
    return process.exitValue();
  }

  private void awaitTranscripts() {
    try {
      output.awaitEnd(LONGEST_STOP);
      errors.awaitEnd(LONGEST_STOP);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String report(String what) {
    return String.format("%s %s%n--- out%n%s--- err%n%s", name, what, output(), errors());
  }

  /** Ends it, if it still runs. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        process.waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
