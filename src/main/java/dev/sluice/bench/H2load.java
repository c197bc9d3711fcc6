package dev.sluice.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Another load generator, to check our own by. */
final class H2load {
  private static final Pattern RATE = Pattern.compile("finished in [^,]+, ([0-9.]+) req/s");
  private static final Pattern BAD = Pattern.compile("(\\d+) failed, (\\d+) errored");
  private static final int PREFIX_BYTES = 5;

  private final Path program;
  private final Path body;

  /** The one on the PATH. */
  H2load(Path directory) {
    program =
        Processes.onPath("h2load")
            .orElseThrow(
                () ->
                    new BenchException(
                        "there is no h2load on the PATH (expected one, or no --h2load)"));
    body = directory.resolve("h2load.body");
  }

  /** Puts into a line how many calls each second a server answers. */
  void measure(Server server, byte[] message, Effort effort, Map<String, Double> figures) {
    try {
      Files.write(body, framed(message));
      Process process =
          new ProcessBuilder(command(server, effort)).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher rate = RATE.matcher(said);
      Matcher bad = BAD.matcher(said);
      if (!rate.find() || !bad.find() || !bad.group(1).equals("0")) {
        throw new BenchException("h2load did not measure: " + said);
      }
      figures.put("h2load_calls_per_second", Double.parseDouble(rate.group(1)));
    } catch (IOException e) {
      throw new BenchException("h2load does not run: " + e.getMessage(), e);
    }
  }

  private List<String> command(Server server, Effort effort) {
    return List.of(
        program.toString(),
        "--duration=" + Math.max(1, effort.measured().toSeconds()),
        "--warm-up-time=" + Math.max(1, effort.warm().toSeconds() / 2),
        "--clients=" + effort.shape().connections(),
        "--max-concurrent-streams=" + effort.shape().callsEach(),
        "--threads=1",
        "--header=content-type: application/grpc",
        "--header=te: trailers",
        "--data=" + body,
        "http://127.0.0.1:" + server.grpcPort() + Server.PATH);
  }

  private static byte[] framed(byte[] message) {
    return ByteBuffer.allocate(PREFIX_BYTES + message.length)
        .put((byte) 0)
        .putInt(message.length)
        .put(message)
        .array();
  }
}
