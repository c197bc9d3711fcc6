package dev.sluice.limit;

/** What became of one charge. */
public sealed interface Verdict {
  /** What the bucket holds now. */
  Balance balance();

  /** Whether the charge fitted into the bucket. */
  boolean conforms();

  /** The same verdict, of somebody who stood in for the store of the bucket. */
  Verdict asAssumed();

  /**
   * It conformed.
   *
   * @param granted units taken (less than 0: given back); 0 when it only looked, or when another
   *     charge of the same group did not conform
   */
  record Allowed(long granted, Balance balance) implements Verdict {
    @Override
    public boolean conforms() {
      return true;
    }

    @Override
    public Verdict asAssumed() {
      return new Allowed(granted, balance.asAssumed());
    }
  }

  /**
   * It did not conform, and took nothing.
   *
   * @param retryAfterMicros the least wait after which it would, if nothing else happens
   */
  record Denied(long retryAfterMicros, Balance balance) implements Verdict {
    @Override
    public boolean conforms() {
      return false;
    }

    @Override
    public Verdict asAssumed() {
      return new Denied(retryAfterMicros, balance.asAssumed());
    }
  }

  /** It asks for more than the burst: with this limit it never conforms. */
  record Impossible(Balance balance) implements Verdict {
    @Override
    public boolean conforms() {
      return false;
    }

    @Override
    public Verdict asAssumed() {
      return new Impossible(balance.asAssumed());
    }
  }

  /**
   * The units were recorded.
   *
   * @param units that were reported; the bucket may hold fewer when its debt is full
   * @param conforms whether they fitted into the bucket
   */
  record Recorded(long units, boolean conforms, Balance balance) implements Verdict {
    @Override
    public Verdict asAssumed() {
      return new Recorded(units, conforms, balance.asAssumed());
    }
  }

  /**
   * This verdict, once so many units that its bucket's group took are given back to the bucket.
   * What did not conform is told as it was judged.
   *
   * @param limit that the bucket is held to
   * @param taken of the bucket up to this charge, at least 0
   */
  default Verdict without(Limit limit, long taken) {
    if (this instanceof Allowed allowed) {
      long left = Math.min(0, allowed.granted);
      return new Allowed(left, allowed.balance.without(limit, taken));
    }
    return this instanceof Recorded recorded
        ? new Recorded(recorded.units, recorded.conforms, recorded.balance.without(limit, taken))
        : this;
  }

  /**
   * The verdict on a charge.
   *
   * @param conforms whether it fitted when it was judged
   * @param granted what was really taken
   * @param backlog of the bucket afterwards
   */
  static Verdict of(Limit limit, Charge charge, boolean conforms, long granted, Micros backlog) {
    Balance balance = Balance.of(limit, backlog);
    if (charge instanceof Charge.Force) {
      return new Recorded(charge.units(), conforms, balance);
    }
    if (conforms) {
      return new Allowed(granted, balance);
    }
    return denied(limit, charge, backlog, balance);
  }

  /**
   * The verdict on a charge that is known not to conform, without asking the bucket again.
   *
   * @param backlog of the bucket, as far as that is known
   */
  static Verdict remembered(Limit limit, Charge charge, Micros backlog) {
    return denied(limit, charge, backlog, Balance.of(limit, backlog, Balance.Origin.REMEMBERED));
  }

  private static Verdict denied(Limit limit, Charge charge, Micros backlog, Balance balance) {
    long wanted = charge instanceof Charge.UpTo ? 1 : charge.units();
    return wanted > limit.burst()
        ? new Impossible(balance)
        : new Denied(Balance.waitFor(limit, backlog, wanted), balance);
  }
}
