package dev.sluice.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What a process has written to one of its streams so far. Thread-safe. */
final class Transcript {
  private final StringBuilder text = new StringBuilder();
  private final Thread reader;

  /** Reads the stream until it ends, on a thread of its own. */
  Transcript(InputStream stream) {
    reader = new Thread(() -> readAll(stream), "transcript");
    reader.setDaemon(true);
    reader.start();
  }

  private void readAll(InputStream stream) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        append(line);
      }
    } catch (IOException e) {
      append(e.toString());
    }
  }

  private synchronized void append(String line) {
    text.append(line).append('\n');
  }

  /** All whole lines so far. */
  synchronized String text() {
    return text.toString();
  }

  /** Waits until the stream has ended. */
  void awaitEnd(Duration atMost) throws InterruptedException {
    reader.join(atMost.toMillis());
  }
}
