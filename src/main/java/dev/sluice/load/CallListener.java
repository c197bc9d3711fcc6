package dev.sluice.load;

import io.netty.buffer.ByteBuf;

/** Sees calls as they end. Its methods are called on the loop of the connection. */
public interface CallListener {
  /**
   * A call was answered.
   *
   * @param stamp that it was made with
   * @param message the answer, or as much of it as fits into a frame; read it before this returns
   */
  void answered(Connection connection, long stamp, ByteBuf message);

  /**
   * A call got no answer: an error, or the end of the connection.
   *
   * @param stamp that it was made with
   */
  void failed(Connection connection, long stamp, String reason);
}
