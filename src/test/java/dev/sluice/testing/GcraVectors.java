package dev.sluice.testing;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.sluice.limit.BucketState;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Period;
import dev.sluice.limit.Verdict;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cases of exact GCRA, made by a rational model: what each charge is answered, and which state it
 * leaves.
 *
 * @param cases on one bucket
 * @param multi on several buckets at once
 */
public record GcraVectors(List<Case> cases, List<Multi> multi) {
  private static final Gson GSON =
      new GsonBuilder()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .create();

  /** Reads them from the test resources. */
  public static GcraVectors load() {
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(
                GcraVectors.class.getResourceAsStream("/vectors/gcra_vectors.json")),
            StandardCharsets.UTF_8)) {
      return GSON.fromJson(reader, GcraVectors.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Steps on one bucket. */
  public record Case(String id, String desc, @Nullable State init, List<Step> steps) {
    @Override
    public String toString() {
      return id + ": " + desc;
    }
  }

  /** Steps on several buckets, each asking for a cost of each. */
  public record Multi(String id, String desc, List<Rule> rules, List<MultiStep> steps) {
    @Override
    public String toString() {
      return id + ": " + desc;
    }
  }

  /** One limit of several. */
  public record Rule(long limit, String unit, long burst, long debt) {
    /** As a limit of ours. */
    public Limit asLimit() {
      return Limit.of(limit, Period.valueOf(unit), burst, debt);
    }
  }

  /** A charge, repeated; the figures hold after the last repetition. */
  public record Step(
      long limit,
      String unit,
      long burst,
      long debt,
      long tUs,
      long cost,
      String mode,
      int repeat,
      Expect expect) {
    /** As a limit of ours. */
    public Limit asLimit() {
      return Limit.of(limit, Period.valueOf(unit), burst, debt);
    }

    /** As a charge of ours. */
    public Charge asCharge() {
      if (mode.equals("upto")) {
        return new Charge.UpTo(cost);
      }
      return mode.equals("force") ? new Charge.Force(cost) : question(cost);
    }
  }

  /** A charge of several buckets. */
  public record MultiStep(long tUs, List<Long> costs, MultiExpect expect) {}

  /** What is expected of a group. */
  public record MultiExpect(boolean allow, List<Expect> each) {}

  /** What is expected of a charge. */
  public record Expect(
      boolean allow,
      long granted,
      long remaining,
      long retryAfterUs,
      long resetAfterUs,
      long nextAfterUs,
      @Nullable State state) {
    /** Whether a verdict says the same. */
    public boolean agreesWith(Verdict verdict) {
      boolean allowed = verdict.conforms() || verdict instanceof Verdict.Recorded;
      return allowed == allow
          && granted(verdict) == granted
          && retry(verdict) == retryAfterUs
          && verdict.balance().remaining() == remaining
          && verdict.balance().resetAfterMicros() == resetAfterUs
          && verdict.balance().nextAfterMicros() == nextAfterUs;
    }

    /** The state that is left, at an instant: one that lies in the past is as good as none. */
    public Optional<State> stateAt(long nowMicros) {
      return Optional.ofNullable(state).filter(it -> it.q >= nowMicros);
    }

    private static long granted(Verdict verdict) {
      if (verdict instanceof Verdict.Allowed allowed) {
        return allowed.granted();
      }
      return verdict instanceof Verdict.Recorded recorded ? recorded.units() : 0;
    }

    private static long retry(Verdict verdict) {
      if (verdict instanceof Verdict.Impossible) {
        return -1;
      }
      return verdict instanceof Verdict.Denied denied ? denied.retryAfterMicros() : 0;
    }
  }

  /** A theoretical arrival time: q + r/d microseconds. */
  public record State(long q, long r, long d) {
    /** As a state of ours that was written when the bucket was empty. */
    public BucketState under(Limit limit) {
      return new BucketState(
          q - limit.capacity().whole(), limit.capacity(), limit.interval(), false);
    }
  }

  /** What a cost asks: units, a look for 0, or a gift for less. */
  public static Charge question(long cost) {
    if (cost == 0) {
      return new Charge.Look(1);
    }
    return cost > 0 ? new Charge.Take(cost) : new Charge.Give(-cost);
  }
}
