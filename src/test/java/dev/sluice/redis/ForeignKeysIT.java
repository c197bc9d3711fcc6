package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BatchStore.Outcome;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Keys of another type under the names of buckets: they are somebody else's, and stay. */
class ForeignKeysIT {
  private static final Limit PLENTY = Limit.of(100_000, Period.DAY);

  private final RedisProcess redis = RedisProcess.start();
  private final RedisFixture fixture =
      new RedisFixture(redis, RedisScripts.load(), 4_096).connected();

  @AfterEach
  void close() {
    fixture.close();
    redis.close();
  }

  @Test
  void oneQuestionOnSuchAKeyFailsAndTheKeyStays() {
    redis.tell(commands -> commands.lpush("rl:" + key("list").text(), "foreign"));
    CompletableFuture<List<Verdict>> answer =
        fixture.redis().decide(List.of(take("list"))).toCompletableFuture();
    assertThat(answer)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableThat()
        .withMessageContaining("a key of another type");
    assertThat(type("list")).isEqualTo("list");
  }

  @Test
  void aKeyOfAnotherTypeFailsItsGroupsAndNoOtherOfTheirCall() {
    RedisBucketStore store = fixture.redis();
    redis.tell(commands -> commands.lpush("rl:" + key("list").text(), "foreign"));
    redis.tell(commands -> commands.hset("rl:" + key("hash").text(), "f", "v"));
    BucketCharge good = take("good");
    BucketCharge list = take("list");
    BucketCharge hash = take("hash");
    BucketCharge gift = list.asking(new Charge.Give(1), BucketCharge.Veto.NEVER);
    List<List<BucketCharge>> groups =
        List.of(
            List.of(good),
            List.of(list),
            List.of(list),
            List.of(gift),
            List.of(good, hash),
            List.of(hash.asking(new Charge.Look(1), BucketCharge.Veto.NEVER), good),
            List.of(good, good),
            List.of(good));
    List<Outcome> outcomes =
        store.decideAll(groups).toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    assertThat(outcomes.stream().map(it -> it instanceof Outcome.Decided))
        .containsExactly(true, false, false, false, false, false, true, true);
    assertThat(outcomes)
        .filteredOn(it -> it instanceof Outcome.Failed)
        .allSatisfy(it -> assertThat(((Outcome.Failed) it).why().reason()).isEqualTo(Reason.ERROR));
    Verdict last = ((Outcome.Decided) outcomes.get(7)).verdicts().get(0);
    assertThat(last.balance().remaining()).isEqualTo(PLENTY.burst() - 4);
    assertThat(type("list")).isEqualTo("list");
    assertThat(type("hash")).isEqualTo("hash");
  }

  @Test
  void aForeignKeyAmongThousandsIsFoundWhereverItStands() {
    RedisBucketStore store = fixture.redis();
    redis.tell(commands -> commands.sadd("rl:" + key("k1500").text(), "foreign"));
    List<BucketCharge> wide = new ArrayList<>();
    for (int i = 0; i < 2_001; i++) {
      wide.add(take("k" + i));
    }
    CompletableFuture<List<Verdict>> answer = store.decide(wide).toCompletableFuture();
    assertThat(answer).failsWithin(Duration.ofSeconds(20));
    assertThat(type("k1500")).isEqualTo("set");
    assertThat(type("k0")).as("nothing of the group was charged").isEqualTo("none");
    wide.remove(1_500);
    assertThat(store.decide(wide).toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));
  }

  private String type(String name) {
    return redis.ask(commands -> commands.type("rl:" + key(name).text()));
  }

  private static BucketKey key(String name) {
    return BucketKey.in("foreign").entry("bucket", name).build();
  }

  private static BucketCharge take(String name) {
    return new BucketCharge(key(name), PLENTY, new Charge.Take(1), BucketCharge.Veto.ALONE);
  }
}
