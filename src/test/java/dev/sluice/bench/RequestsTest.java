package dev.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.sluice.bucket.BucketKey;
import dev.sluice.proto.service.RateLimitRequest;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RequestsTest {
  @Test
  void noTwoDistinctRequestsAreAlike() throws InvalidProtocolBufferException {
    Requests.Distinct requests = new Requests.Distinct();
    Set<String> values = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      RateLimitRequest request = RateLimitRequest.parseFrom(requests.next());
      assertThat(request.getDomain()).isEqualTo("bench");
      values.add(request.getDescriptors(0).getEntries(0).getValue());
    }
    assertThat(values).hasSize(10_000);
  }

  @Test
  void keysInRedisHaveFortyBytes() {
    String name = BucketKey.in("bench").entry("stayer", Requests.value(7)).build().text();
    assertThat(Redis.PREFIX + name).hasSize(40);
    assertThat(Redis.PREFIX + name)
        .isEqualTo(Requests.bucketName(Redis.PREFIX) + Requests.value(7));
  }
}
