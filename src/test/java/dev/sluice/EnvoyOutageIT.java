package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testing.EnvoyBinary;
import dev.sluice.testing.Gateway;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers of Envoy see while Sluice goes and comes back. */
final class EnvoyOutageIT {
  private static final int CLIENTS = 4;

  @TempDir private Path scratch;
  private Gateway gateway;

  /** One request: when it began, and what came back. */
  private record Call(long began, int status) {}

  @BeforeEach
  void start() {
    Path binary = EnvoyBinary.orSkip();
    Path rules = scratch.resolve("rules");
    Gateway.copyRules(rules);
    gateway = new Gateway(binary, rules, scratch);
  }

  @AfterEach
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
  }

  @Test
  void withoutSluiceEachListenerFailsInItsOwnWayUntilSluiceIsBack() {
    gateway.killSluice();
    for (int i = 0; i < 20; i++) {
      HttpResponse<String> open = api();
      assertThat(open.statusCode()).isEqualTo(200);
      assertThat(Gateway.isDecided(open)).isFalse();
      HttpResponse<String> closed = login();
      assertThat(closed.statusCode()).isEqualTo(500);
      assertThat(Gateway.isDecided(closed)).isFalse();
    }

    gateway.startSluiceAgain();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> Gateway.isDecided(api()) && Gateway.isDecided(login()));
  }

  /** The login's listener shows every call that got no answer, as a 500. */
  @Test
  void requestsThatBeganBeforeSluiceIsToldToStopAreDecided() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      AtomicInteger answered = new AtomicInteger();
      List<Future<List<Call>>> loads =
          Stream.generate(() -> threads.submit(() -> callUntilOutage(answered)))
              .limit(CLIENTS)
              .toList();
      Awaitility.await().until(() -> answered.get() > 1_000);
      long told = System.nanoTime();
      assertThat(gateway.stopSluice()).isZero();

      List<Call> before = new ArrayList<>();
      for (Future<List<Call>> load : loads) {
        before.addAll(load.get().stream().filter(call -> call.began < told).toList());
      }
      assertThat(before).extracting(Call::status).isSubsetOf(200, 429, 500);
      // What a busy machine makes later than 20 ms is no call that was lost.
      assertThat(before)
          .filteredOn(call -> call.status == 500)
          .hasSizeLessThanOrEqualTo((int) gateway.callsTimedOut());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Calls until it has been refused several times in a row: then Sluice is gone. */
  private List<Call> callUntilOutage(AtomicInteger answered) {
    List<Call> calls = new ArrayList<>();
    int refused = 0;
    while (refused < 10) {
      Call call = new Call(System.nanoTime(), login().statusCode());
      calls.add(call);
      refused = call.status == 500 ? refused + 1 : 0;
      answered.incrementAndGet();
    }
    return calls;
  }

  private HttpResponse<String> api() {
    return gateway.get("api", "/", "x-plan", "free", "x-api-key", "k1");
  }

  private HttpResponse<String> login() {
    return gateway.get("login", "/", "x-account", UUID.randomUUID().toString());
  }
}
