package dev.sluice.redis;

import dev.sluice.bucket.BucketCharge;
import dev.sluice.bucket.BucketKey;
import dev.sluice.limit.Verdict;
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

  private final List<Group> groups = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private final Map<BucketKey, Bucket> buckets = new HashMap<>();
  private final Map<Tariff, Integer> tariffs = new HashMap<>();
  private final List<String> keys = new ArrayList<>();
  private final List<Tariff> sent = new ArrayList<>();
  private final String keyPrefix;
  private int charges;
  private int headers;

  private ScriptCall(String keyPrefix) {
    this.keyPrefix = keyPrefix;
  }

  /**
   * The calls that decide the groups if they are made in this order; an empty group needs none.
   *
   * @param slots the slot of a bucket; buckets of different slots cannot be in one call
   */
  static List<ScriptCall> of(
      String keyPrefix, List<List<BucketCharge>> groups, ToIntFunction<BucketKey> slots) {
    List<ScriptCall> calls = new ArrayList<>(1);
    Map<Integer, ScriptCall> open = new HashMap<>(2);
    for (int i = 0; i < groups.size(); i++) {
      List<BucketCharge> group = groups.get(i);
      if (group.isEmpty()) {
        continue;
      }
      int slot = slots.applyAsInt(group.get(0).key());
      ScriptCall call = open.get(slot);
      if (call == null || !call.add(i, group)) {
        call = new ScriptCall(keyPrefix);
        call.add(i, group);
        open.put(slot, call);
        calls.add(call);
      }
    }
    return calls;
  }

  /** Sees the verdicts on one group. */
  interface Receiver {
    /** The verdicts on the group that was added with this index. */
    void decided(int index, List<Verdict> verdicts);
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
    return buckets.computeIfAbsent(
        key,
        it -> {
          keys.add(keyPrefix + it.text());
          return new Bucket(keys.size());
        });
  }

  private Block.Entry entry(Bucket bucket, BucketCharge charge) {
    Tariff tariff = new Tariff(charge.limit(), charge.charge());
    int index =
        tariffs.computeIfAbsent(
            tariff,
            it -> {
              sent.add(it);
              return sent.size();
            });
    return new Block.Entry(bucket.index, index, tariff);
  }

  /** How many groups it has. */
  int size() {
    return groups.size();
  }

  /** The cheapest script that decides it. */
  RedisScript script(RedisScripts scripts) {
    return isOneQuestion() ? scripts.take() : scripts.many();
  }

  String[] keys() {
    return keys.toArray(String[]::new);
  }

  byte[] argument() {
    boolean one = isOneQuestion();
    int listed = Short.BYTES + sent.size() * Tariff.SIZE + (charges + headers) * Block.Entry.SIZE;
    byte[] bytes = new byte[one ? Tariff.SIZE : listed];
    ByteBuffer into = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (one) {
      sent.get(0).write(into);
    } else {
      writeAll(into);
    }
    return bytes;
  }

  private void writeAll(ByteBuffer into) {
    into.putShort((short) sent.size());
    for (Tariff tariff : sent) {
      tariff.write(into);
    }
    for (Block block : blocks) {
      block.write(into);
    }
  }

  /** Gives out the verdicts that a reply says, in three numbers for each charge. */
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
