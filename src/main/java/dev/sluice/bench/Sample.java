package dev.sluice.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Optional;

/**
 * What has been used up to an instant, in microseconds and bytes.
 *
 * @param answered calls
 * @param standIns decisions that were made without Redis, for it
 */
record Sample(
    long answered,
    long redisCalls,
    double redisMicros,
    double serverMicros,
    double allocated,
    double standIns) {
  private static final double NANOS_PER_MICRO = 1e3;

  static Sample of(Server server, Optional<Redis> redis, Tally tally) {
    double allocated = server.jvm().allocatedBytes();
    double serverMicros = server.cpu().toNanos() / NANOS_PER_MICRO;
    return new Sample(
        tally.answered(),
        redis.map(Redis::calls).orElse(0L),
        redis.map(Redis::cpuMicros).orElse(0.0),
        serverMicros,
        allocated,
        server.standInDecisions());
  }

  /** Time of this process on a processor, in nanoseconds. */
  static long clientNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** Puts what was used since an earlier instant into a line, for each answered call. */
  void since(Sample earlier, Map<String, Double> figures) {
    double calls = answered - earlier.answered;
    figures.put("redis_calls", (redisCalls - earlier.redisCalls) / calls);
    figures.put("redis_micros", (redisMicros - earlier.redisMicros) / calls);
    figures.put("server_micros", (serverMicros - earlier.serverMicros) / calls);
    figures.put("allocated_bytes", (allocated - earlier.allocated) / calls);
    figures.put("stand_in", (standIns - earlier.standIns) / calls);
  }
}
