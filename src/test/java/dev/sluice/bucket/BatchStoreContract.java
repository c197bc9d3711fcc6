package dev.sluice.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.TestClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every store does that decides several groups at once: the same as one that is asked group by
 * group.
 */
public abstract class BatchStoreContract {
  private static final long NOW = 2_790_000_000_000_000L;
  private static final List<Veto> VETOES = List.of(Veto.ALONE, Veto.TOGETHER, Veto.NEVER);
  private static final List<Limit> LIMITS =
      List.of(
          Limit.of(3, Period.SECOND),
          Limit.of(7, Period.SECOND, 40),
          Limit.of(10, Period.MINUTE, 10, 0),
          Limit.of(1_000_003, Period.MINUTE, 50),
          Limit.of(4_294_967_291L, Period.YEAR, 1_000),
          Limit.of(3, Period.MONTH, 6, 2));

  private final TestClock clock = new TestClock(NOW);
  private final InMemoryBucketStore alone = new InMemoryBucketStore(clock, clock.ticker(), 10_000);

  /** The store, empty, with a clock of its own. */
  protected abstract BatchStore store();

  /** Moves the store's clock. */
  protected abstract void setClock(long micros);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyGroupsAtOnceAreAnsweredAsIfTheyHadComeOneByOne(long seed) {
    Random random = new Random(seed);
    long now = NOW;
    for (int round = 0; round < 60; round++) {
      now += random.nextInt(3) * random.nextLong(400_000) - random.nextLong(2_000);
      List<List<BucketCharge>> groups = groups(random, seed, 1 + random.nextInt(120));
      sameAsAlone(groups, now);
    }
  }

  @Test
  void aRushOnOneBucketGetsExactlyWhatThereIs() {
    for (Limit limit : LIMITS) {
      BucketCharge one = charge("rush " + limit, limit, new Charge.Take(1), Veto.ALONE);
      List<List<BucketCharge>> groups = Collections.nCopies(2_000, List.of(one));
      List<List<Verdict>> verdicts = sameAsAlone(groups, NOW);
      assertThat(verdicts.stream().filter(it -> it.get(0).conforms()).count())
          .isEqualTo(limit.burst());
    }
  }

  @Test
  void moreOfTheSameThanSixteenBitsCount() {
    Limit limit = Limit.of(69_000, Period.DAY);
    BucketCharge one = charge("crowd", limit, new Charge.Take(1), Veto.ALONE);
    List<List<Verdict>> verdicts = decide(Collections.nCopies(70_000, List.of(one)), NOW);
    assertThat(verdicts.stream().filter(it -> it.get(0).conforms()).count()).isEqualTo(69_000);
    assertThat(verdicts.get(68_999).get(0).conforms()).isTrue();
    assertThat(verdicts.get(69_000).get(0).conforms()).isFalse();
  }

  @Test
  void oneGroupMayHaveMoreChargesThanACallUsuallyHas() {
    List<BucketCharge> group = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Limit limit = LIMITS.get(i % LIMITS.size());
      group.add(charge("wide" + i, limit, new Charge.Take(1), Veto.ALONE));
    }
    sameAsAlone(List.of(group, List.of(group.get(7)), group, List.of()), NOW);
  }

  @Test
  void noGroupsHaveNoVerdicts() {
    assertThat(decide(List.of(), NOW)).isEmpty();
    assertThat(decide(List.of(List.of(), List.of()), NOW)).containsExactly(List.of(), List.of());
  }

  private List<List<Verdict>> sameAsAlone(List<List<BucketCharge>> groups, long now) {
    List<List<Verdict>> together = decide(groups, now);
    clock.set(now);
    assertThat(together).hasSameSizeAs(groups);
    for (int i = 0; i < groups.size(); i++) {
      assertThat(together.get(i))
          .as("group %d: %s", i, groups.get(i))
          .isEqualTo(alone.decide(groups.get(i)).toCompletableFuture().join());
    }
    return together;
  }

  private List<List<Verdict>> decide(List<List<BucketCharge>> groups, long now) {
    setClock(now);
    return store()
        .decideAll(groups)
        .toCompletableFuture()
        .orTimeout(20, TimeUnit.SECONDS)
        .join()
        .stream()
        .map(outcome -> ((BatchStore.Outcome.Decided) outcome).verdicts())
        .toList();
  }

  /** Mostly takes of one unit, on few buckets; some buckets have two limits. */
  private static List<List<BucketCharge>> groups(Random random, long seed, int number) {
    List<List<BucketCharge>> groups = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      int size = random.nextInt(4) > 0 ? 1 : random.nextInt(5);
      List<BucketCharge> group = new ArrayList<>();
      for (int j = 0; j < size; j++) {
        int bucket = random.nextInt(12);
        int limit = bucket < 9 ? bucket % LIMITS.size() : random.nextInt(2);
        group.add(
            charge(
                "b" + seed + "." + bucket,
                LIMITS.get(limit),
                anyCharge(random),
                VETOES.get(random.nextInt(VETOES.size()))));
      }
      groups.add(group);
    }
    return groups;
  }

  private static Charge anyCharge(Random random) {
    long units = 1 + random.nextInt(4) * (long) random.nextInt(4);
    return switch (random.nextInt(12)) {
      case 0 -> new Charge.Look(units);
      case 1 -> new Charge.UpTo(units);
      case 2 -> new Charge.Force(units);
      case 3 -> new Charge.Give(units);
      case 4 -> new Charge.Take(units);
      default -> new Charge.Take(1);
    };
  }

  private static BucketCharge charge(String name, Limit limit, Charge charge, Veto veto) {
    return new BucketCharge(BucketKey.in("batch").entry("b", name).build(), limit, charge, veto);
  }
}
