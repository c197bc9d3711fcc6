package dev.sluice.redis;

import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Micros;
import dev.sluice.limit.Verdict;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A limit and what is asked of it, as the scripts read it: every product is worked out, so they
 * only add, subtract and compare.
 *
 * <p>Many charges may share one, so it is written once, when it is made. The layout is the one that
 * the head of many.lua states. Immutable.
 */
final class Tariff {
  /** Bytes that one has. */
  static final int SIZE = 69;

  private final Limit limit;
  private final Charge charge;
  private final byte[] written = new byte[SIZE];

  Tariff(Limit limit, Charge charge) {
    this.limit = limit;
    this.charge = charge;
    write(ByteBuffer.wrap(written).order(ByteOrder.LITTLE_ENDIAN));
  }

  private void write(ByteBuffer into) {
    into.put(kind());
    put(into, limit.interval().times(needed()));
    putAdded(into);
    put(into, limit.capacity());
    put(into, limit.span());
    putWhole(into, limit.convertedSpan().whole());
    putWhole(into, limit.interval().numerator());
    into.putInt((int) limit.interval().denominator());
  }

  Limit limit() {
    return limit;
  }

  Charge charge() {
    return charge;
  }

  /** Its bytes, as the scripts read them; not to be changed. */
  byte[] written() {
    return written;
  }

  /** Whether it is the one of this limit and this charge. */
  boolean is(Limit other, Charge asked) {
    return charge.equals(asked) && limit.equals(other);
  }

  /** Whether units are taken if they conform, or only looked at. */
  boolean isQuestion() {
    return charge instanceof Charge.Take || charge instanceof Charge.Look;
  }

  /**
   * The verdict on the charge.
   *
   * @param conforms whether it fitted when it was judged
   * @param taken how many units were taken where it asks for as many as there are; of every other
   *     charge, whether it was carried out: 0 if not
   */
  Verdict verdict(boolean conforms, long taken, Micros backlog) {
    return Verdict.of(limit, charge, conforms, granted(taken), backlog);
  }

  private long granted(long taken) {
    if (charge instanceof Charge.Give) {
      return -mostMoved();
    }
    if (taken == 0 || charge instanceof Charge.Look) {
      return 0;
    }
    return charge instanceof Charge.UpTo ? taken : charge.units();
  }

  private long mostMoved() {
    return Math.min(charge.units(), limit.burst() + limit.debt());
  }

  private byte kind() {
    if (isQuestion()) {
      return 0;
    }
    if (charge instanceof Charge.UpTo) {
      return 1;
    }
    return (byte) (charge instanceof Charge.Force ? 2 : 3);
  }

  private long needed() {
    return charge instanceof Charge.UpTo ? 1 : Math.min(charge.units(), limit.burst() + 1);
  }

  private void putAdded(ByteBuffer into) {
    if (charge instanceof Charge.UpTo upTo) {
      putWhole(into, Math.min(upTo.most(), limit.burst()));
      into.putInt((int) upTo.share());
      return;
    }
    put(into, charge instanceof Charge.Look ? Micros.ZERO : limit.interval().times(mostMoved()));
  }

  private static void put(ByteBuffer into, Micros duration) {
    putWhole(into, duration.whole());
    into.putInt((int) duration.parts());
  }

  /** A number as a double, which is exact: all are below 2^53. */
  private static void putWhole(ByteBuffer into, long number) {
    into.putDouble((double) number);
  }
}
