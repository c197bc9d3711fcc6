package dev.sluice.redis;

import dev.sluice.bucket.BatchStore.Outcome;
import dev.sluice.bucket.BucketStoreException;
import dev.sluice.bucket.BucketStoreException.Reason;
import dev.sluice.limit.Micros;
import java.nio.ByteBuffer;

/** A part of a script call that decides one group, or several equal ones. Not thread-safe. */
sealed interface Block permits Run, Members {
  /** How many numbers of the reply there are for each charge. */
  int REPLIES = 3;

  /** What becomes of a group on a key that is no bucket. */
  Outcome FOREIGN =
      new Outcome.Failed(
          new BucketStoreException(
              Reason.ERROR, "a key of another type has the name of one of the buckets"));

  /** Writes its charges as many.lua reads them. */
  void write(ByteBuffer into);

  /** What became of its next group. */
  Outcome next(long[] reply);

  /**
   * A charge as many.lua knows it.
   *
   * @param bucket index of its key, from 1
   * @param index of its tariff, from 1
   */
  record Entry(int bucket, int index, Tariff tariff) {
    /** Bytes of an entry. */
    static final int SIZE = 7;

    void write(ByteBuffer into, int times, int veto) {
      into.putShort((short) bucket).putShort((short) index);
      into.putShort((short) times).put((byte) veto);
    }

    /** Writes what goes before the members of a group. */
    static void writeHeader(ByteBuffer into, int members) {
      into.putShort((short) 0).putShort((short) 0);
      into.putShort((short) members).put((byte) 0);
    }
  }

  /** Whether a charge was refused, since a key of its group is none of ours. */
  static boolean isForeign(long[] reply, int charge) {
    return conformed(reply, charge) < 0;
  }

  /** The first number for a charge: how many conformed, or how many units. */
  static long conformed(long[] reply, int charge) {
    return reply[charge * REPLIES];
  }

  /** The backlog that the reply tells for a charge. */
  static Micros backlog(long[] reply, int charge) {
    return new Micros(reply[charge * REPLIES + 1], reply[charge * REPLIES + 2]);
  }
}
