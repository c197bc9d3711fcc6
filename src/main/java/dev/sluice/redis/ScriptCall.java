package dev.sluice.redis;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketCharge.Veto;
import dev.sluice.bucket.Vote;
import dev.sluice.limit.Charge;
import dev.sluice.limit.Limit;
import dev.sluice.limit.Micros;
import dev.sluice.limit.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * One call of a script: its keys and arguments, and how its reply is read.
 *
 * <p>The order of both is the one that the heads of take.lua and many.lua state.
 */
abstract sealed class ScriptCall {
  private final String[] keys;
  private final String[] arguments;
  private int filled;

  private ScriptCall(String keyPrefix, List<BucketCharge> charges, int width) {
    keys = new String[charges.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = keyPrefix + charges.get(i).key().text();
    }
    arguments = new String[charges.size() * width];
  }

  /** The cheapest call that decides the charges; there is at least one. */
  static ScriptCall of(String keyPrefix, List<BucketCharge> charges) {
    BucketCharge first = charges.get(0);
    boolean question =
        first.charge() instanceof Charge.Take || first.charge() instanceof Charge.Look;
    return charges.size() == 1 && question
        ? new Take(keyPrefix, first)
        : new Many(keyPrefix, charges);
  }

  abstract RedisScript script(RedisScripts scripts);

  abstract List<Verdict> verdicts(List<Object> reply);

  final String[] keys() {
    return keys;
  }

  final String[] arguments() {
    return arguments;
  }

  final void add(String argument) {
    arguments[filled++] = argument;
  }

  final void add(Micros duration) {
    add(Long.toString(duration.whole()));
    add(Long.toString(duration.parts()));
  }

  final void addAmounts(Limit limit, Charge charge) {
    long units = charge.units();
    long needed = charge instanceof Charge.UpTo ? 1 : Math.min(units, limit.burst() + 1);
    add(limit.interval().times(needed));
    if (charge instanceof Charge.UpTo upTo) {
      add(Long.toString(Math.min(upTo.most(), limit.burst())));
      add(Long.toString(upTo.share()));
      return;
    }
    add(
        charge instanceof Charge.Look
            ? Micros.ZERO
            : limit.interval().times(mostCharged(limit, units)));
  }

  final void addLimit(Limit limit) {
    add(limit.capacity());
    add(limit.span());
    add(Long.toString(limit.convertedSpan().whole()));
    add(Long.toString(limit.interval().numerator()));
    add(Long.toString(limit.interval().denominator()));
  }

  private static long mostCharged(Limit limit, long units) {
    return Math.min(units, limit.burst() + limit.debt());
  }

  private static long number(List<Object> reply, int at) {
    return (Long) reply.get(at);
  }

  private static Micros backlog(List<Object> reply, int at) {
    return new Micros(number(reply, at), number(reply, at + 1));
  }

  /** take.lua: one take or look. */
  private static final class Take extends ScriptCall {
    private final BucketCharge charge;

    Take(String keyPrefix, BucketCharge charge) {
      super(keyPrefix, List.of(charge), 11);
      this.charge = charge;
      addAmounts(charge.limit(), charge.charge());
      addLimit(charge.limit());
    }

    @Override
    RedisScript script(RedisScripts scripts) {
      return scripts.take();
    }

    @Override
    List<Verdict> verdicts(List<Object> reply) {
      boolean conforms = number(reply, 0) == 1;
      long granted = charge.charge() instanceof Charge.Look ? 0 : charge.charge().units();
      return List.of(
          Verdict.of(charge.limit(), charge.charge(), conforms, granted, backlog(reply, 1)));
    }
  }

  /** many.lua: any group. */
  private static final class Many extends ScriptCall {
    private static final int REPLIES = 4;
    private final List<BucketCharge> charges;

    Many(String keyPrefix, List<BucketCharge> charges) {
      super(keyPrefix, charges, 13);
      this.charges = charges;
      for (BucketCharge charge : charges) {
        add(kind(charge.charge()));
        add(veto(charge.veto()));
        addAmounts(charge.limit(), charge.charge());
        addLimit(charge.limit());
      }
    }

    @Override
    RedisScript script(RedisScripts scripts) {
      return scripts.many();
    }

    @Override
    List<Verdict> verdicts(List<Object> reply) {
      Vote vote = new Vote();
      for (int i = 0; i < charges.size(); i++) {
        vote.count(charges.get(i).veto(), conforms(reply, i));
      }
      List<Verdict> verdicts = new ArrayList<>(charges.size());
      for (int i = 0; i < charges.size(); i++) {
        BucketCharge charge = charges.get(i);
        boolean conforms = conforms(reply, i);
        long granted = granted(charge, vote.allows() && conforms, number(reply, i * REPLIES + 1));
        Micros backlog = backlog(reply, i * REPLIES + 2);
        verdicts.add(Verdict.of(charge.limit(), charge.charge(), conforms, granted, backlog));
      }
      return verdicts;
    }

    private static boolean conforms(List<Object> reply, int index) {
      return number(reply, index * REPLIES) == 1;
    }

    /**
     * How many units were taken, where Redis tells only how many it took of those that it might.
     */
    private static long granted(BucketCharge charge, boolean taken, long upTo) {
      long units = charge.charge().units();
      if (charge.charge() instanceof Charge.Give) {
        return -mostCharged(charge.limit(), units);
      }
      if (charge.charge() instanceof Charge.UpTo) {
        return upTo;
      }
      return taken && charge.charge() instanceof Charge.Take ? units : 0;
    }

    private static String veto(Veto veto) {
      return switch (veto) {
        case ALONE -> "a";
        case TOGETHER -> "t";
        case NEVER -> "n";
      };
    }

    private static String kind(Charge charge) {
      if (charge instanceof Charge.Take) {
        return "t";
      }
      if (charge instanceof Charge.Look) {
        return "l";
      }
      if (charge instanceof Charge.UpTo) {
        return "u";
      }
      return charge instanceof Charge.Force ? "f" : "g";
    }
  }
}
