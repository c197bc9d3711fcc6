package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.util.concurrent.ListenableFuture;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.SluiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the log of a server says, at the level that it has unless told otherwise. */
class QuietLogIT {
  private static final int CALLS = 20_000;
  private static final int AT_ONCE = 100;

  @TempDir Path directory;

  @Test
  void neitherDenialsNorAnOutageFillTheLog() throws Exception {
    Files.writeString(
        directory.resolve("f.yaml"),
        "domain: f\ndescriptors: [{key: k, rate_limit: {unit: second, requests_per_unit: 1}}]\n");
    try (RedisProcess redis = RedisProcess.start();
        SluiceProcess server =
            SluiceProcess.serve(
                directory, Map.of("REDIS_URL", redis.url(), "REDIS_COMMAND_TIMEOUT", "10s"));
        RateLimitClient client = new RateLimitClient(server.grpcPort())) {
      long denied = denials(client);
      assertThat(denied).isGreaterThan(CALLS / 2);
      assertThat(lines(server)).isLessThan(20);

      long before = lines(server);
      redis.kill();
      await()
          .until(
              () -> {
                client.ask(RateLimitClient.request("f", "k", "a"));
                return server.errors().contains("Redis does not decide (");
              });
      denials(client);
      assertThat(lines(server) - before).isLessThan(20);
    }
  }

  private static long denials(RateLimitClient client)
      throws InterruptedException, ExecutionException {
    long denied = 0;
    for (int i = 0; i < CALLS / AT_ONCE; i++) {
      List<ListenableFuture<RateLimitResponse>> calls = new ArrayList<>();
      for (int j = 0; j < AT_ONCE; j++) {
        calls.add(client.begin(RateLimitClient.request("f", "k", "a")));
      }
      for (ListenableFuture<RateLimitResponse> call : calls) {
        denied += call.get().getOverallCode() == Code.OVER_LIMIT ? 1 : 0;
      }
    }
    return denied;
  }

  private static long lines(SluiceProcess server) {
    return server.errors().lines().count();
  }
}
