package dev.sluice.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Optional;

/**
 * What has been used up to an instant, in nanoseconds, microseconds and bytes.
 *
 * @param answered calls
 * @param standIns decisions that were made without Redis, for it
 * @param clientNanos time of this process on a processor
 */
record Sample(
    long nanos,
    long answered,
    long redisCalls,
    double redisMicros,
    double serverMicros,
    double allocated,
    double standIns,
    double clientNanos) {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  static Sample of(Server server, Optional<Redis> redis, Tally tally) {
    double allocated = server.jvm().allocatedBytes();
    double serverMicros = server.cpu().toNanos() / NANOS_PER_MICRO;
    return new Sample(
        System.nanoTime(),
        tally.answered(),
        redis.map(Redis::calls).orElse(0L),
        redis.map(Redis::cpuMicros).orElse(0.0),
        serverMicros,
        allocated,
        server.standInDecisions(),
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime());
  }

  /** Puts what was used since an earlier instant into a line, for each answered call. */
  void since(Sample earlier, Map<String, Double> figures) {
    double calls = answered - earlier.answered;
    double elapsed = nanos - earlier.nanos;
    figures.put("calls_per_second", calls * NANOS_PER_SECOND / elapsed);
    figures.put("redis_calls", (redisCalls - earlier.redisCalls) / calls);
    figures.put("redis_micros", (redisMicros - earlier.redisMicros) / calls);
    figures.put("server_micros", (serverMicros - earlier.serverMicros) / calls);
    figures.put("allocated_bytes", (allocated - earlier.allocated) / calls);
    figures.put("stand_in", (standIns - earlier.standIns) / calls);
    figures.put("client_busy", (clientNanos - earlier.clientNanos) / elapsed);
  }
}
