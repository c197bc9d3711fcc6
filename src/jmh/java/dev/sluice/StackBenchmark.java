package dev.sluice;

import dev.sluice.bucket.BatchStore;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.BucketKey;
import dev.sluice.bucket.BucketStore;
import dev.sluice.bucket.Deadline;
import dev.sluice.guard.Fallback;
import dev.sluice.guard.Watched;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import dev.sluice.local.Batching;
import dev.sluice.settings.Settings;
import dev.sluice.telemetry.GuardTelemetry;
import dev.sluice.telemetry.LocalTelemetry;
import dev.sluice.telemetry.Metrics;
import dev.sluice.telemetry.StoreTelemetry;
import dev.sluice.telemetry.StoreTelemetry.Decider;
import dev.sluice.tracing.Traces;
import dev.sluice.transport.EventLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What everything between a request and its Redis costs, for one that Redis answers later. */
@State(Scope.Thread)
public class StackBenchmark {
  private static final Limit LIMIT = Limit.of(1_000, Period.MINUTE);

  @Param({"1", "10"})
  public int descriptors;

  private final EventLoops loops = new EventLoops(1);
  private final Redis redis = new Redis();
  private final BucketStore stack = stack();
  private final List<BucketCharge> group = new ArrayList<>();

  /** Answers the one call that is under way when it is told to. */
  private static final class Redis implements BatchStore {
    private List<Outcome> outcomes = List.of();
    private CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();

    @Override
    public CompletionStage<List<Outcome>> decideAll(List<List<BucketCharge>> groups) {
      answer = new CompletableFuture<>();
      return answer;
    }
  }

  @Setup
  public void group() {
    List<Verdict> verdicts = new ArrayList<>();
    for (int i = 0; i < descriptors; i++) {
      BucketKey key = BucketKey.in("edge").entry("remote_address", "10.0.0." + i).build();
      Charge charge = new Charge.Take(1);
      group.add(new BucketCharge(key, LIMIT, charge, Veto.ALONE));
      verdicts.add(Verdict.of(LIMIT, charge, true, 1, LIMIT.interval().times(617)));
    }
    redis.outcomes = List.of(new BatchStore.Outcome.Decided(verdicts));
  }

  @TearDown
  public void close() {
    loops.close();
  }

  @Benchmark
  public List<Verdict> decide() {
    CompletionStage<List<Verdict>> answer = stack.decide(group, Deadline.NONE);
    redis.answer.complete(redis.outcomes);
    return answer.toCompletableFuture().join();
  }

  private BucketStore stack() {
    Settings settings = Settings.of(Map.of());
    Metrics metrics = new Metrics();
    StoreTelemetry telemetry = new StoreTelemetry(metrics);
    Guards guards = new Guards(settings, loops, new GuardTelemetry(metrics), Traces.OFF);
    Sparing sparing = new Sparing(settings, loops, new LocalTelemetry(metrics, telemetry));
    BucketStore batched = new Batching(redis, new Batching.Bounds(2, 128, 4_096), System::nanoTime);
    BucketStore guarded = telemetry.counted(guards.before("primary", batched), Decider.REDIS);
    BucketStore node =
        sparing.denialsOf(
            "primary", new Watched(guarded, System::nanoTime, telemetry.node("primary")));
    return sparing.inAdvanceOf(
        new Fallback(node, WithoutRedis.standIn(settings, telemetry, () -> 1)), () -> 1);
  }
}
