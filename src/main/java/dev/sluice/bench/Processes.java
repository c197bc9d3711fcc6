package dev.sluice.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What starting and ending other programs takes. */
final class Processes {
  private static final int CONNECT_MILLIS = 200;
  private static final int POLL_MILLIS = 5;
  private static final int SECONDS_TO_END = 15;

  private Processes() {}

  /** A program on the PATH. */
  static Optional<Path> onPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(":", -1))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** A port of the loopback address that nobody listens on now. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new BenchException("no port is free: " + e.getMessage(), e);
    }
  }

  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(loopback(port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Looks every few milliseconds, until something is so.
   *
   * @throws BenchException if the process ends before, or the time is up
   */
  static void await(Process process, String what, int atMostSeconds, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (!process.isAlive()) {
        throw new BenchException(what + " ended with code " + process.exitValue());
      }
      if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(atMostSeconds)) {
        throw new BenchException(what + " was not ready after " + atMostSeconds + " s");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS));
    }
  }

  /**
   * Begins to start a Redis without a memory on disk, on a port of the loopback address. It ends
   * with this process at the latest.
   *
   * @throws BenchException if there is none
   */
  static Process redis(Path directory, int port) {
    Path program =
        onPath("redis-server")
            .orElseThrow(
                () ->
                    new BenchException(
                        "there is no redis-server on the PATH (expected one, or --redis URL)"));
    List<String> command =
        List.of(
            program.toString(),
            "--port",
            String.valueOf(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            directory.toString());
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return process;
    } catch (IOException e) {
      throw new BenchException("redis-server does not start: " + e.getMessage(), e);
    }
  }

  /** Waits for a process that ends by itself. */
  static void awaitEnd(Process process) {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("the benchmark was interrupted", e);
    }
  }

  /** Asks a process to end, and makes it where it does not. */
  static void end(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
