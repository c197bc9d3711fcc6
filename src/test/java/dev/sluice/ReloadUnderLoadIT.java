package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules that change, as Kubernetes changes a mounted ConfigMap, while callers go on asking. */
class ReloadUnderLoadIT {
  private static final RateLimitRequest QUESTION =
      RateLimitRequest.newBuilder()
          .setDomain("kube")
          .addDescriptors(
              RateLimitDescriptor.newBuilder()
                  .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey("pod").setValue("p")))
          .build();

  @TempDir Path directory;

  @Test
  void swapIsInForceWithinTwoSecondsAndNoAnswerIsWithoutItsLimit() throws Exception {
    version("..2031_01_01", 100_000);
    Files.createSymbolicLink(directory.resolve("..data"), Path.of("..2031_01_01"));
    Files.createSymbolicLink(directory.resolve("rules.yaml"), Path.of("..data/rules.yaml"));
    List<RateLimitResponse> answers = new CopyOnWriteArrayList<>();
    AtomicBoolean over = new AtomicBoolean();
    try (InProcessServer server = InProcessServer.in(directory, Map.of())) {
      Thread caller =
          new Thread(
              () -> {
                while (!over.get()) {
                  answers.add(server.client().shouldRateLimit(QUESTION));
                }
              });
      caller.start();
      await().until(() -> answers.size() > 100);

      version("..2031_01_02", 0);
      Files.createSymbolicLink(directory.resolve("..data_tmp"), Path.of("..2031_01_02"));
      Files.move(
          directory.resolve("..data_tmp"),
          directory.resolve("..data"),
          StandardCopyOption.ATOMIC_MOVE);
      Files.delete(directory.resolve("..2031_01_01/rules.yaml"));

      await()
          .atMost(Duration.ofSeconds(2))
          .until(() -> answers.get(answers.size() - 1).getOverallCode() == Code.OVER_LIMIT);
      over.set(true);
      caller.join();
    }
    assertThat(answers).allMatch(answer -> answer.getStatuses(0).hasCurrentLimit());
    List<Code> codes = answers.stream().map(RateLimitResponse::getOverallCode).toList();
    assertThat(codes).doesNotContain(Code.UNKNOWN);
    assertThat(codes.subList(codes.indexOf(Code.OVER_LIMIT), codes.size()))
        .containsOnly(Code.OVER_LIMIT);
  }

  private void version(String name, int requests) throws IOException {
    Path version = Files.createDirectory(directory.resolve(name));
    Files.writeString(
        version.resolve("rules.yaml"),
        "{domain: kube, descriptors: [{key: pod, rate_limit: {unit: day, requests_per_unit: "
            + requests
            + "}}]}\n");
  }
}
