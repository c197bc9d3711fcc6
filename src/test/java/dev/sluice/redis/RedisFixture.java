package dev.sluice.redis;

import static org.awaitility.Awaitility.await;

import dev.sluice.bucket.BucketStore;
import dev.sluice.guard.TimeLimit;
import dev.sluice.testing.RedisProcess;
import dev.sluice.transport.EventLoops;
import java.net.URI;
import java.time.Duration;

/** A store on a real Redis, with everything that it needs. */
final class RedisFixture implements AutoCloseable {
  private final EventLoops loops = new EventLoops(1);
  private final RedisLink link;
  private final RedisScripts scripts;

  final RecordingObserver observer = new RecordingObserver();

  RedisFixture(RedisProcess redis, RedisScripts scripts, int queue) {
    this.scripts = scripts;
    RedisAddress address =
        new RedisAddress(
            URI.create("redis://" + redis.url()),
            "",
            RedisAddress.Tls.STANDARD,
            Duration.ofSeconds(2));
    link = new RedisLink(address, queue, scripts, loops, observer);
  }

  /** Waits until there is a connection. */
  RedisFixture connected() {
    await().atMost(Duration.ofSeconds(10)).until(() -> link.commands() != null);
    return this;
  }

  /** The store itself, whose callers wait for as long as Redis takes. */
  RedisBucketStore redis() {
    return new RedisBucketStore(link, scripts, "rl:", observer);
  }

  /** A store whose callers are told after so long that Redis did not decide. */
  BucketStore store(Duration timeout) {
    BucketStore limited =
        new TimeLimit(redis(), timeout, loops::after, System::nanoTime, observer::cameLate);
    return observer.recorded(limited);
  }

  /** A heart of a server of this name, that does not beat yet. */
  Heartbeat heartbeat(String id, Heartbeat.Listener listener) {
    return new Heartbeat(link, loops, "rl:pods", id, listener);
  }

  @Override
  public void close() {
    link.close();
    loops.close();
  }
}
