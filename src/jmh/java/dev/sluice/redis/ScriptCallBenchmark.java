package dev.sluice.redis;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketKey;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** What it costs to say requests as a script call and to read its reply; for each request. */
@State(Scope.Thread)
public class ScriptCallBenchmark {
  private static final int MANY = 32;
  private static final int RUSH = 128;
  private static final Limit LIMIT = Limit.of(1_000, Period.MINUTE);

  private static final Tariffs TARIFFS = new Tariffs();

  private final List<List<BucketCharge>> one = List.of(take(0));
  private final List<List<BucketCharge>> rush = Collections.nCopies(RUSH, take(0));
  private final List<List<BucketCharge>> many = many();
  private final long[] oneReply = {1, 60_000, 0};
  private final long[] rushReply = {RUSH, RUSH * 60_000L, 0};
  private final long[] manyReply = manyReply();

  @Benchmark
  public void one(Blackhole sink) {
    decide(one, oneReply, sink);
  }

  @Benchmark
  @OperationsPerInvocation(MANY)
  public void oneOfManyBuckets(Blackhole sink) {
    decide(many, manyReply, sink);
  }

  @Benchmark
  @OperationsPerInvocation(RUSH)
  public void oneOfARush(Blackhole sink) {
    decide(rush, rushReply, sink);
  }

  private static void decide(List<List<BucketCharge>> groups, long[] reply, Blackhole sink) {
    for (ScriptCall call : ScriptCall.of(TARIFFS, groups, key -> 0)) {
      sink.consume(call.keys());
      sink.consume(call.argument());
      call.read(reply, (index, verdicts) -> sink.consume(verdicts));
    }
  }

  private static List<List<BucketCharge>> many() {
    List<List<BucketCharge>> groups = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      groups.add(take(i));
    }
    return groups;
  }

  private static long[] manyReply() {
    long[] reply = new long[MANY * Block.REPLIES];
    for (int i = 0; i < MANY; i++) {
      reply[i * Block.REPLIES] = 1;
      reply[i * Block.REPLIES + 1] = 60_000;
    }
    return reply;
  }

  private static List<BucketCharge> take(int number) {
    BucketKey key = BucketKey.in("edge").entry("remote_address", "10.0.0." + number).build();
    return List.of(new BucketCharge(key, LIMIT, new Charge.Take(1), Veto.ALONE));
  }
}
