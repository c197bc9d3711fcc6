package dev.sluice.bench;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Redis of a benchmark: one of its own, or one that is there, of which it leaves no key. */
final class Redis implements AutoCloseable {
  /** What the keys of the benchmark begin with; as long as what Sluice's own begin with. */
  static final String PREFIX = "be:";

  private static final int SECONDS_TO_START = 20;
  private static final int SCANNED_AT_A_TIME = 5_000;
  private static final double MICROS_PER_SECOND = 1e6;
  private static final int MOST_LOOKS = 20;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);
  private static final double SETTLED_BYTES = 2_048;

  /** Calls of scripts; the commands inside of them are not calls. */
  private static final Pattern CALLS =
      Pattern.compile("cmdstat_(?:evalsha|eval|fcall|evalsha_ro|fcall_ro):calls=(\\d+)");

  private final Optional<Process> process;
  private final String url;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;

  /** Starts one, or connects to the one at this URL. */
  static Redis at(Optional<String> url, Path directory) {
    return url.map(it -> new Redis(Optional.empty(), it)).orElseGet(() -> start(directory));
  }

  private static Redis start(Path directory) {
    int port = Processes.freePort();
    Process process = Processes.redis(directory, port);
    Processes.await(process, "redis-server", SECONDS_TO_START, () -> Processes.listens(port));
    return new Redis(Optional.of(process), "127.0.0.1:" + port);
  }

  private Redis(Optional<Process> process, String url) {
    this.process = process;
    this.url = url;
    client = RedisClient.create(RedisURI.create(url.contains("://") ? url : "redis://" + url));
    try {
      connection = client.connect();
    } catch (RedisException e) {
      throw new BenchException("Redis at " + url + " cannot be reached (--redis names it)", e);
    }
  }

  /** What REDIS_URL is set to. */
  String url() {
    return url;
  }

  /** How many scripts were called since it started. */
  long calls() {
    return CALLS
        .matcher(commands().info("commandstats"))
        .results()
        .mapToLong(it -> Long.parseLong(it.group(1)))
        .sum();
  }

  /** Time on a processor since it started, in microseconds. */
  double cpuMicros() {
    String info = commands().info("cpu");
    return (number(info, "used_cpu_user") + number(info, "used_cpu_sys")) * MICROS_PER_SECOND;
  }

  /**
   * Bytes that it has taken for what is in it, once that is the same for a while: after many keys
   * have gone, its tables shrink in the background.
   */
  double settledBytes() {
    double bytes = usedBytes();
    for (int looks = 0; looks < MOST_LOOKS; looks++) {
      Pause.of(BETWEEN_LOOKS);
      double now = usedBytes();
      if (Math.abs(now - bytes) < SETTLED_BYTES) {
        return now;
      }
      bytes = now;
    }
    return bytes;
  }

  private double usedBytes() {
    String info = commands().info("memory");
    return number(info, "used_memory") - number(info, "mem_clients_normal");
  }

  /** Runs a script for its effect. */
  void run(String script, String... arguments) {
    commands().eval(script, ScriptOutputType.STATUS, new String[0], arguments);
  }

  /** Removes what the benchmark left. */
  void clear() {
    ScanArgs ours = ScanArgs.Builder.matches(PREFIX + "*").limit(SCANNED_AT_A_TIME);
    ScanCursor cursor = ScanCursor.INITIAL;
    while (!cursor.isFinished()) {
      KeyScanCursor<String> page = commands().scan(cursor, ours);
      if (!page.getKeys().isEmpty()) {
        commands().del(page.getKeys().toArray(String[]::new));
      }
      cursor = page;
    }
  }

  private RedisCommands<String, String> commands() {
    return connection.sync();
  }

  private static double number(String info, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":([0-9.]+)").matcher(info);
    return line.find() ? Double.parseDouble(line.group(1)) : Double.NaN;
  }

  @Override
  public void close() {
    if (process.isEmpty()) {
      clear();
    }
    connection.close();
    client.shutdown();
    process.ifPresent(Processes::end);
  }
}
