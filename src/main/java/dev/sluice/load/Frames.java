package dev.sluice.load;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** What is written of HTTP/2 (RFC 9113), frame by frame. */
final class Frames {
  static final int HEADER_BYTES = 9;
  static final int DATA = 0x0;
  static final int HEADERS = 0x1;
  static final int RST_STREAM = 0x3;
  static final int SETTINGS = 0x4;
  static final int PING = 0x6;
  static final int GOAWAY = 0x7;
  static final int WINDOW_UPDATE = 0x8;

  static final int END_STREAM = 0x1;
  static final int ACK = 0x1;
  static final int END_HEADERS = 0x4;
  static final int PADDED = 0x8;

  static final int MAX_CONCURRENT_STREAMS = 0x3;
  static final int LARGEST_WINDOW = Integer.MAX_VALUE;
  static final int LARGEST_FRAME = 16_384;
  static final int FIRST_WINDOW = 65_535;

  /** What gRPC puts before a message: whether it is compressed, and its length. */
  static final int PREFIX_BYTES = 5;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int ENABLE_PUSH = 0x2;
  private static final int INITIAL_WINDOW_SIZE = 0x4;
  private static final int SETTING_BYTES = 6;

  private Frames() {}

  /** The beginning of a connection: answers may be of any number and size. */
  static void begin(ByteBuf out) {
    out.writeBytes(PREFACE);
    header(out, 2 * SETTING_BYTES, SETTINGS, 0, 0);
    out.writeShort(ENABLE_PUSH).writeInt(0);
    out.writeShort(INITIAL_WINDOW_SIZE).writeInt(LARGEST_WINDOW);
    windowUpdate(out, LARGEST_WINDOW - FIRST_WINDOW);
  }

  static void windowUpdate(ByteBuf out, int bytes) {
    header(out, Integer.BYTES, WINDOW_UPDATE, 0, 0);
    out.writeInt(bytes);
  }

  static void settingsSeen(ByteBuf out) {
    header(out, 0, SETTINGS, ACK, 0);
  }

  static void pingSeen(ByteBuf out, long data) {
    header(out, Long.BYTES, PING, ACK, 0);
    out.writeLong(data);
  }

  /** A whole call: headers, and a message that ends the stream. */
  static void call(ByteBuf out, int stream, byte[] headers, byte[] message) {
    header(out, headers.length, HEADERS, END_HEADERS, stream);
    out.writeBytes(headers);
    header(out, PREFIX_BYTES + message.length, DATA, END_STREAM, stream);
    out.writeByte(0).writeInt(message.length).writeBytes(message);
  }

  private static void header(ByteBuf out, int length, int type, int flags, int stream) {
    out.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
  }
}
