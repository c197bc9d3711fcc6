package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.BucketStoreContract;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.testing.RedisProcess;
import dev.sluice.testing.TestRedisScripts;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The store on a real Redis whose scripts ask a clock that the tests set. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisBucketStoreIT extends BucketStoreContract {
  private static final long NOW = 2_790_000_000_000_000L;

  private RedisProcess redis = RedisProcess.start();
  private RedisFixture fixture = new RedisFixture(redis, TestRedisScripts.withTestClock(), 4_096);

  @BeforeAll
  void connect() {
    fixture.connected();
  }

  @AfterAll
  void close() {
    fixture.close();
    redis.close();
  }

  @Override
  protected BucketStore store() {
    return fixture.store(Duration.ofSeconds(10));
  }

  @Override
  protected void setClock(long micros) {
    TestRedisScripts.set(redis, micros);
  }

  @Test
  void aBucketIsOneShortStringThatGoesWhenItIsFull() {
    setClock(NOW);
    BucketKey key = key("text");
    take(key, Limit.of(7, Period.SECOND, 7, 0), 2);
    assertThat(stored(key)).isEqualTo("2790000000000000 285714+2/7 of 1000000/7");
    assertThat(expiresAtMillis(key)).isBetween(2_790_000_000_284L, 2_790_000_000_287L);
  }

  @Test
  void aBucketInDebtSaysSo() {
    setClock(NOW);
    BucketKey key = key("debt");
    decide(charge(key, Limit.of(10, Period.SECOND), new Charge.Force(15)));
    assertThat(stored(key)).isEqualTo("2790000000000000 1500000+0/1 of 100000/1 in debt");
  }

  @Test
  void aDenialAndALookWriteNothing() {
    setClock(NOW);
    BucketKey key = key("quiet");
    Limit limit = Limit.of(1, Period.MINUTE);
    take(key, limit, 1);
    String before = stored(key);
    setClock(NOW + 1_000_000);
    take(key, limit, 1);
    look(key, limit);
    decide(charge(key, limit, new Charge.Take(1)), charge(key("other"), limit, new Charge.Take(1)));
    assertThat(stored(key)).isEqualTo(before);
    assertThat(stored(key("other"))).isEqualTo("nothing");
  }

  @Test
  void aBucketThatIsGivenEverythingBackIsGone() {
    setClock(NOW);
    BucketKey key = key("given");
    take(key, Limit.of(7, Period.SECOND), 3);
    decide(charge(key, Limit.of(7, Period.SECOND), new Charge.Give(3)));
    assertThat(stored(key)).isEqualTo("nothing");
  }

  @Test
  void aClockThatRunsBackIsRepairedByTheFirstLook() {
    BucketKey key = key("clock");
    Limit limit = Limit.of(10, Period.SECOND);
    setClock(NOW + 3_600_000_000L);
    take(key, limit, 10);
    setClock(NOW);
    assertThat(look(key, limit).conforms()).isFalse();
    setClock(NOW + 100_000);
    assertThat(take(key, limit, 1).conforms()).isTrue();
  }

  @Test
  void aValueThatIsNoBucketCountsAsNone() {
    setClock(NOW);
    for (String foreign :
        List.of(
            "",
            "hello",
            "1790000000000000",
            "2790000000000000:1500000:0:1",
            "\0".repeat(28),
            "\1\0".repeat(14),
            "~".repeat(28))) {
      BucketKey key = key("foreign" + foreign.length() + foreign.hashCode());
      redis.tell(commands -> commands.set("rl:" + key.text(), foreign));
      assertThat(take(key, Limit.of(2, Period.DAY), 2).conforms()).as(foreign).isTrue();
      assertThat(take(key, Limit.of(2, Period.DAY), 1).conforms()).as(foreign).isFalse();
    }
  }

  @Test
  void bothScriptsDecideAlike() {
    Random random = new Random(4);
    List<Limit> limits =
        List.of(
            Limit.of(7, Period.SECOND),
            Limit.of(4_294_967_291L, Period.YEAR),
            Limit.of(1_000_003, Period.MINUTE, 5),
            Limit.of(3, Period.MONTH, 6, 2),
            Limit.of(60, Period.HOUR, 120));
    long now = NOW;
    for (int i = 0; i < 400; i++) {
      setClock(now);
      Limit limit = limits.get(random.nextInt(limits.size()));
      long units = random.nextLong(1, 5);
      Charge charge = random.nextInt(4) == 0 ? new Charge.Look(units) : new Charge.Take(units);
      Verdict one = decide(charge(key("alike-one"), limit, charge)).get(0);
      // A second member that always conforms makes the same question one for the other script.
      Verdict many =
          decide(
                  charge(key("alike-many"), limit, charge),
                  charge(key("alike-full"), limit, new Charge.Look(1)))
              .get(0);
      assertThat(many).as("step %d", i).isEqualTo(one);
      assertThat(stored(key("alike-many"))).isEqualTo(stored(key("alike-one")));
      now += random.nextLong(3) * random.nextLong(2_000_000) - random.nextLong(1_000);
    }
  }

  /** What a bucket says, for people; RATIONALE.md has the same line. */
  private String stored(BucketKey key) {
    String script =
        "local v = redis.call('GET', KEYS[1]) if not v then return 'nothing' end "
            + "local n, at, q, r, d = struct.unpack('<I6I7I7I4I4', v) "
            + "return string.format('%d %d+%d/%d of %d/%d%s',"
            + " at, q, r, d, math.floor(n / 2), d, n % 2 == 1 and ' in debt' or '')";
    return redis.ask(
        commands ->
            commands.eval(script, ScriptOutputType.VALUE, new String[] {"rl:" + key.text()}));
  }

  private long expiresAtMillis(BucketKey key) {
    return redis.ask(
        commands -> {
          String script =
              "local t = redis.call('TIME') return redis.call('PTTL', KEYS[1]) + t[1] * 1000 + t[2] / 1000";
          return commands.eval(script, ScriptOutputType.INTEGER, new String[] {"rl:" + key.text()});
        });
  }
}
