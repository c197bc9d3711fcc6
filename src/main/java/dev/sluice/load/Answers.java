package dev.sluice.load;

import io.netty.buffer.ByteBuf;

/** Sees what came of calls. Called on the loops of the connections; must not block. */
public interface Answers {
  /**
   * A call was answered.
   *
   * @param nanos since it was due
   * @param message to be read before this returns
   */
  void answered(long nanos, ByteBuf message);

  /** A call got no answer. */
  void failed(String reason);
}
