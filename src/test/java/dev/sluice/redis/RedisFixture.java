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
  private final RedisResources resources;
  private final RedisLink link;
  private final RedisScripts scripts;

  final RecordingObserver observer = new RecordingObserver();

  RedisFixture(RedisProcess redis, RedisScripts scripts, int queue) {
    this(new Topology.Single(URI.create("redis://" + redis.url())), Secret.NONE, scripts, queue);
  }

  RedisFixture(Topology topology, Secret secret, RedisScripts scripts, int queue) {
    this.scripts = scripts;
    resources = new RedisResources(loops, observer);
    RedisAddress address =
        new RedisAddress(topology, secret, RedisAddress.Tls.STANDARD, Duration.ofSeconds(1));
    link = RedisLink.open(address, queue, scripts, resources);
  }

  RedisLink link() {
    return link;
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
    resources.close();
    loops.close();
  }
}
