package dev.sluice.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;

/** A reply that is a list of whole numbers, without an object for each. */
final class Numbers extends CommandOutput<String, String, long[]> {
  private int read;

  Numbers() {
    super(StringCodec.ASCII, new long[0]);
  }

  @Override
  public void multi(int count) {
    output = new long[Math.max(0, count)];
  }

  @Override
  public void set(long integer) {
    output[read++] = integer;
  }
}
