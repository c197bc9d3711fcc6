package dev.sluice.bench;

/** The benchmark cannot be run, or not to its end; the message is for people. */
public final class BenchException extends RuntimeException {
  BenchException(String message) {
    super(message);
  }

  BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}
