package dev.sluice.telemetry;

import dev.sluice.statsd.Stats;
import io.prometheus.client.Collector;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * What the reference server tells of its local cache, told of the denials that are remembered here:
 * they play its part. Like there, all are gauges. Thread-safe.
 */
final class LocalCacheSeries extends Collector implements Stats {
  private static final long MILLIS_PER_SECOND = 1_000;

  private final Map<String, LongSupplier> caches = new ConcurrentHashMap<>();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder replaced = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private final LongAdder evicted = new LongAdder();
  private final List<Entry> gauges =
      List.of(
          new Entry("hitCount", "Charges that were denied from memory.", hits::sum),
          new Entry("missCount", "Charges that Redis was asked.", misses::sum),
          new Entry("lookupCount", "Both of these.", () -> hits.sum() + misses.sum()),
          new Entry("entryCount", "Denials that are remembered.", this::entries),
          new Entry("overwriteCount", "Denials that a later one replaced.", replaced::sum),
          new Entry("expiredCount", "Denials that were over.", expired::sum),
          new Entry("evacuateCount", "Denials that there was no room for.", evicted::sum),
          new Entry("averageAccessTime", "About when they were denied.", this::accessed));

  private record Entry(String name, String help, LongSupplier level) {}

  LocalCacheSeries(Metrics metrics) {
    metrics.sent(this).register(metrics.registry());
  }

  void add(String node, LongSupplier entries) {
    caches.put(node, entries);
  }

  void remove(String node) {
    caches.remove(node);
  }

  void hit(int charges) {
    hits.add(charges);
  }

  void missed(int charges) {
    misses.add(charges);
  }

  void replaced() {
    replaced.increment();
  }

  void expired() {
    expired.increment();
  }

  void evicted() {
    evicted.increment();
  }

  private long entries() {
    return caches.values().stream().mapToLong(LongSupplier::getAsLong).sum();
  }

  /** In seconds since 1970, of which none is more than one back; 0 where there are none. */
  private long accessed() {
    return entries() == 0 ? 0 : System.currentTimeMillis() / MILLIS_PER_SECOND;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    return gauges.stream()
        .map(
            it ->
                Series.gauge("ratelimit_localcache_" + it.name, it.help, List.of())
                    .add(List.of(), (double) it.level.getAsLong())
                    .family())
        .toList();
  }

  @Override
  public void tell(Hearer hearer) {
    if (!caches.isEmpty()) {
      gauges.forEach(it -> hearer.gauge("ratelimit.localcache." + it.name, it.level.getAsLong()));
    }
  }
}
