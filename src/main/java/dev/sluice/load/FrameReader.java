package dev.sluice.load;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/** Takes what the server sends apart into frames, and tells the connection of each. */
final class FrameReader extends ByteToMessageDecoder {
  private static final int STREAM_BITS = 0x7FFF_FFFF;
  private static final int READ_UNTIL_SAID = 1 << 29;
  private static final int SETTING_BYTES = 6;

  private final Connection connection;
  private int unsaid;

  FrameReader(Connection connection) {
    this.connection = connection;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    connection.begin();
    super.channelActive(context);
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    while (in.readableBytes() >= Frames.HEADER_BYTES) {
      int start = in.readerIndex();
      int length = in.getUnsignedMedium(start);
      if (in.readableBytes() < Frames.HEADER_BYTES + length) {
        return;
      }
      int type = in.getByte(start + 3);
      int flags = in.getUnsignedByte(start + 4);
      int stream = in.getInt(start + 5) & STREAM_BITS;
      in.skipBytes(Frames.HEADER_BYTES);
      int end = in.readerIndex() + length;
      frame(type, flags, stream, in.slice(in.readerIndex(), length));
      in.readerIndex(end);
    }
  }

  private void frame(int type, int flags, int stream, ByteBuf payload) {
    switch (type) {
      case Frames.DATA -> data(flags, stream, payload);
      case Frames.HEADERS -> {
        if ((flags & Frames.END_STREAM) != 0) {
          connection.streamEnded(stream, "the server answered with an error");
        }
      }
      case Frames.RST_STREAM -> connection.streamEnded(stream, "the server reset the call");
      case Frames.SETTINGS -> {
        if ((flags & Frames.ACK) == 0) {
          settings(payload);
        }
      }
      case Frames.PING -> {
        if ((flags & Frames.ACK) == 0) {
          connection.pinged(payload.readLong());
        }
      }
      case Frames.GOAWAY -> connection.leave();
      case Frames.WINDOW_UPDATE -> {
        if (stream == 0) {
          connection.windowGrew(payload.readInt() & STREAM_BITS);
        }
      }
      default -> {
        // Nothing else asks for anything.
      }
    }
  }

  private void data(int flags, int stream, ByteBuf payload) {
    unsaid += payload.readableBytes();
    if (unsaid > READ_UNTIL_SAID) {
      connection.consumed(unsaid);
      unsaid = 0;
    }
    if ((flags & Frames.PADDED) != 0) {
      int padding = payload.readUnsignedByte();
      payload.writerIndex(payload.writerIndex() - padding);
    }
    if (payload.readableBytes() >= Frames.PREFIX_BYTES) {
      payload.skipBytes(Frames.PREFIX_BYTES);
      connection.message(stream, payload);
    }
    if ((flags & Frames.END_STREAM) != 0) {
      connection.streamEnded(stream, "the server ended the call");
    }
  }

  private void settings(ByteBuf payload) {
    while (payload.readableBytes() >= SETTING_BYTES) {
      int id = payload.readUnsignedShort();
      long value = payload.readUnsignedInt();
      if (id == Frames.MAX_CONCURRENT_STREAMS) {
        connection.mostStreams(value);
      }
    }
    connection.settingsRead();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    super.channelReadComplete(context);
    connection.flush();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    super.channelInactive(context);
    connection.connectionEnded("the connection was closed");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    connection.connectionEnded(String.valueOf(cause.getMessage()));
  }
}
