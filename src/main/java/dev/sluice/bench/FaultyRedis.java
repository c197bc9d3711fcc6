package dev.sluice.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/** A Redis of the benchmark's own, which can be made to fail. Not thread-safe. */
final class FaultyRedis implements AutoCloseable {
  private static final int SECONDS_TO_START = 20;
  private static final int ANSWER_MILLIS = 20_000;
  private static final long TURNS = 20_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Path directory;
  private final int port = Processes.freePort();
  private final double turnsPerSecond;
  private Process process;

  /**
   * Starts it.
   *
   * @param directory for its files
   */
  FaultyRedis(Path directory) {
    this.directory = directory;
    process = start();
    turnsPerSecond = turnsPerSecond();
  }

  private Process start() {
    Process started = Processes.redis(directory, port);
    Processes.await(started, "redis-server", SECONDS_TO_START, () -> Processes.listens(port));
    return started;
  }

  /** What REDIS_URL is set to. */
  String url() {
    return "127.0.0.1:" + port;
  }

  /** Ends it in the middle of whatever it does. */
  void kill() {
    process.destroyForcibly();
    Processes.awaitEnd(process);
  }

  /** Starts it again, empty, after it was killed. */
  void restart() {
    process = start();
  }

  /** Sends it a signal, by name, such as STOP. */
  void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
      Processes.awaitEnd(kill);
    } catch (IOException e) {
      throw new BenchException("kill cannot be run: " + e.getMessage(), e);
    }
  }

  /**
   * Sends it commands, on a connection of their own, and waits for the answers.
   *
   * @throws BenchException if one of them is an error
   */
  void say(List<String> commands) {
    try (Socket socket = new Socket()) {
      socket.connect(Processes.loopback(port));
      socket.setSoTimeout(ANSWER_MILLIS);
      String lines = String.join("\r\n", commands) + "\r\n";
      socket.getOutputStream().write(lines.getBytes(StandardCharsets.UTF_8));
      BufferedReader answers =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (String command : commands) {
        String answer = answers.readLine();
        if (answer == null || answer.startsWith("-")) {
          throw new BenchException("Redis says to '" + command + "': " + answer);
        }
      }
    } catch (IOException e) {
      throw new BenchException("Redis does not answer: " + e.getMessage(), e);
    }
  }

  /** Keeps it busy with so many scripts in a row, each of which takes about so many seconds. */
  void busy(double seconds, int times) {
    say(Collections.nCopies(times, loop((long) (seconds * turnsPerSecond))));
  }

  private static String loop(long turns) {
    return "EVAL \"for i = 1, " + turns + " do end return 1\" 0";
  }

  private double turnsPerSecond() {
    long begin = System.nanoTime();
    say(List.of(loop(TURNS)));
    return TURNS * NANOS_PER_SECOND / (System.nanoTime() - begin);
  }

  @Override
  public void close() {
    signal("CONT");
    Processes.end(process);
  }
}
