package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.testing.ChildProcess;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.SluiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hundred thousand rules in one file, in three quarters of the heap that a container of 512 MiB
 * gives.
 */
final class LargeRuleFileIT {
  private static final int RULES = 100_000;
  private static final Map<String, String> SMALL_HEAP =
      Map.of("JAVA_OPTS", "-Xmx192m -XX:+UseSerialGC");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final RateLimitRequest LAST =
      RateLimitClient.request("shop", "sku", "product-" + (RULES - 1));

  @TempDir private Path directory;

  @BeforeEach
  void firstRules() throws IOException {
    write(1_000);
  }

  @Test
  void aServerReadsThemAndReadsThemAgainWhileTheyAreInForce() throws IOException {
    try (SluiceProcess sluice = SluiceProcess.serve(directory, SMALL_HEAP);
        RateLimitClient client = new RateLimitClient(sluice.grpcPort())) {
      assertThat(limit(client)).isEqualTo(1_000);

      write(2_000);

      await().atMost(PATIENCE).until(() -> limit(client) == 2_000);
      assertThat(sluice.errors()).doesNotContain("OutOfMemoryError");
    }
  }

  @Test
  void checkReadsThem() {
    try (ChildProcess check =
        SluiceProcess.run(
            SluiceProcess.PROJECT,
            SMALL_HEAP,
            SluiceProcess.LAUNCHER.toString(),
            "check",
            directory.toString())) {
      assertThat(check.exitCode(PATIENCE)).as(check.errors()).isZero();
      assertThat(check.output()).contains("domain shop: " + RULES + " rules");
    }
  }

  private static int limit(RateLimitClient client) {
    return client.ask(LAST).getStatuses(0).getCurrentLimit().getRequestsPerUnit();
  }

  private void write(int requests) throws IOException {
    String rules =
        IntStream.range(0, RULES)
            .mapToObj(
                i ->
                    """
                      - key: sku
                        value: product-%d
                        rate_limit:
                          unit: day
                          requests_per_unit: %d
                    """
                        .formatted(i, requests))
            .collect(Collectors.joining("", "domain: shop\ndescriptors:\n", ""));
    Path written = Files.writeString(directory.resolve(".rules"), rules);
    Files.move(written, directory.resolve("rules.yaml"), StandardCopyOption.ATOMIC_MOVE);
  }
}
