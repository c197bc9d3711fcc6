package dev.sluice.redis;

import dev.sluice.bucket.BatchStore.Outcome;
import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One call of a script: groups of charges, what Redis is sent for them, and how its reply is read.
 *
 * <p>Groups of one question that ask the same of one bucket are counted, not listed, as long as no
 * other charge on that bucket comes between them: what stands between them on other buckets neither
 * changes their verdicts nor is changed by them. Not thread-safe.
 */
final class ScriptCall {
  /**
   * How many charges one call has, unless its only group has more: so that nobody waits for one
   * call longer than about 100 microseconds.
   */
  static final int MOST_CHARGES = 32;

  private final List<Group> groups;
  private final List<Block> blocks;
  private final Map<BucketKey, Bucket> buckets;
  private final List<BucketKey> keys;
  private final List<Tariff> sent = new ArrayList<>(1);
  private final Tariffs tariffs;
  private final int slot;
  private final Map<Tariff, Integer> places = new HashMap<>();
  private int charges;
  private int headers;

  /** A call for about so many groups. */
  private ScriptCall(Tariffs tariffs, int slot, int expected) {
    this.tariffs = tariffs;
    this.slot = slot;
    groups = new ArrayList<>(expected);
    blocks = new ArrayList<>(expected);
    keys = new ArrayList<>(expected);
    buckets = new HashMap<>(expected * 2);
  }

  /**
   * The calls that decide the groups if they are made in this order; an empty group needs none.
   *
   * @param slots the slot of a bucket; buckets of different slots cannot be in one call
   */
  static List<ScriptCall> of(
      Tariffs tariffs, List<List<BucketCharge>> groups, ToIntFunction<BucketKey> slots) {
    List<ScriptCall> calls = new ArrayList<>(1);
    Map<Integer, ScriptCall> others = new HashMap<>();
    ScriptCall call = null;
    for (int i = 0; i < groups.size(); i++) {
      List<BucketCharge> group = groups.get(i);
      if (group.isEmpty()) {
        continue;
      }
      int slot = slots.applyAsInt(group.get(0).key());
      if (call != null && call.slot != slot) {
        others.put(call.slot, call);
        call = others.get(slot);
      }
      if (call == null || !call.add(i, group)) {
        boolean manyMore = calls.isEmpty() || call != null;
        call = new ScriptCall(tariffs, slot, manyMore ? Math.min(groups.size(), MOST_CHARGES) : 1);
        call.add(i, group);
        calls.add(call);
      }
    }
    return calls;
  }

  /** Sees what became of each group. */
  interface Receiver {
    /** What became of the group that was added with this index. */
    void decided(int index, Outcome outcome);
  }

  private record Group(int index, Block block) {}

  /** A bucket of this call: where its key is, and the run that goes on if the same comes again. */
  private static final class Bucket {
    private final int index;
    private @Nullable Run run;

    Bucket(int index) {
      this.index = index;
    }
  }

  /**
   * Adds a group that is not empty, unless the call has no room for it.
   *
   * @param index what the receiver of its verdicts knows it by
   * @return whether it was added
   */
  boolean add(int index, List<BucketCharge> group) {
    boolean full = charges > 0 && charges + group.size() > MOST_CHARGES;
    if (group.size() > 1) {
      return !full && groups.add(new Group(index, members(group)));
    }
    BucketCharge charge = group.get(0);
    Bucket known = buckets.get(charge.key());
    Run run = known == null ? null : known.run;
    if (run != null && run.goesOnWith(charge)) {
      run.again();
      return groups.add(new Group(index, run));
    }
    return !full && groups.add(new Group(index, run(charge)));
  }

  private Run run(BucketCharge charge) {
    Bucket bucket = bucket(charge.key());
    Run run = new Run(entry(bucket, charge), charges);
    bucket.run = run.isQuestion() ? run : null;
    charges++;
    blocks.add(run);
    return run;
  }

  private Members members(List<BucketCharge> group) {
    List<Block.Entry> entries = new ArrayList<>(group.size());
    for (BucketCharge charge : group) {
      Bucket bucket = bucket(charge.key());
      bucket.run = null;
      entries.add(entry(bucket, charge));
    }
    Members members = new Members(group, entries, charges);
    charges += group.size();
    headers++;
    blocks.add(members);
    return members;
  }

  private Bucket bucket(BucketKey key) {
    Bucket known = buckets.get(key);
    if (known == null) {
      keys.add(key);
      known = new Bucket(keys.size());
      buckets.put(key, known);
    }
    return known;
  }

  private Block.Entry entry(Bucket bucket, BucketCharge charge) {
    Tariff tariff = tariffs.of(charge.limit(), charge.charge());
    return new Block.Entry(bucket.index, place(tariff), tariff);
  }

  /** Where a tariff is among those that are sent, from 1. Most calls have one. */
  private int place(Tariff tariff) {
    int last = sent.size();
    if (last > 0 && sent.get(last - 1) == tariff) {
      return last;
    }
    if (last == 1) {
      places.put(sent.get(0), 1);
    }
    Integer known = last == 0 ? null : places.putIfAbsent(tariff, last + 1);
    if (known == null) {
      sent.add(tariff);
      return last + 1;
    }
    return known;
  }

  /** How many groups it has. */
  int size() {
    return groups.size();
  }

  /** The cheapest script that decides it. */
  RedisScript script(RedisScripts scripts) {
    return isOneQuestion() ? scripts.take() : scripts.many();
  }

  /** The names of its buckets. */
  List<BucketKey> keys() {
    return keys;
  }

  /** What the script is told of them; not to be changed. */
  byte[] argument() {
    if (isOneQuestion()) {
      return sent.get(0).written();
    }
    int entries = (charges + headers) * Block.Entry.SIZE;
    byte[] bytes = new byte[Short.BYTES + sent.size() * Tariff.SIZE + entries];
    ByteBuffer into = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    into.putShort((short) sent.size());
    for (Tariff tariff : sent) {
      into.put(tariff.written());
    }
    for (Block block : blocks) {
      block.write(into);
    }
    return bytes;
  }

  /** Gives out what a reply says, in three numbers for each charge. */
  void read(long[] reply, Receiver receiver) {
    if (reply.length != charges * Block.REPLIES) {
      throw new IllegalArgumentException(
          String.format("%d numbers for %d charges (expected three each)", reply.length, charges));
    }
    for (Group group : groups) {
      receiver.decided(group.index, group.block.next(reply));
    }
  }

  private boolean isOneQuestion() {
    return groups.size() == 1 && blocks.get(0) instanceof Run run && run.isQuestion();
  }
}
