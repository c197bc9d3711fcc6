package dev.sluice.redis;

import dev.sluice.bucket.BucketKey;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The arguments of EVAL and EVALSHA: the script, how many keys there are, the keys and one string
 * of bytes.
 *
 * <p>They are written into the buffer of the connection as they are: Lettuce's own arguments are an
 * object each, and its keys a buffer each besides. Immutable; all text is ASCII.
 */
final class ScriptArguments extends CommandArgs<String, String> {
  private static final byte[] END_OF_LINE = {'\r', '\n'};
  private static final byte[] NOTHING = {};
  private static final int FIXED = 3;

  private final String script;
  private final byte[] keyPrefix;
  private final List<BucketKey> keys;
  private final byte[] argument;

  /**
   * Arguments.
   *
   * @param script its text or its sum
   * @param keyPrefix goes before the name of each bucket
   */
  ScriptArguments(String script, byte[] keyPrefix, List<BucketKey> keys, byte[] argument) {
    super(StringCodec.ASCII);
    this.script = script;
    this.keyPrefix = keyPrefix;
    this.keys = keys;
    this.argument = argument;
  }

  @Override
  public int count() {
    return FIXED + keys.size();
  }

  @Override
  public void encode(ByteBuf into) {
    put(into, NOTHING, script);
    put(into, NOTHING, Integer.toString(keys.size()));
    for (BucketKey key : keys) {
      put(into, keyPrefix, key.text());
    }
    put(into, argument, "");
  }

  /** What Lettuce finds the node of a cluster by. */
  @Override
  public ByteBuffer getFirstEncodedKey() {
    byte[] name = keys.get(0).text().getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(keyPrefix.length + name.length).put(keyPrefix).put(name).flip();
  }

  private static void put(ByteBuf into, byte[] head, String text) {
    putLength(into, head.length + text.length());
    into.writeBytes(head);
    into.writeCharSequence(text, StandardCharsets.US_ASCII);
    into.writeBytes(END_OF_LINE);
  }

  private static void putLength(ByteBuf into, int length) {
    into.writeByte('$');
    putNumber(into, length);
    into.writeBytes(END_OF_LINE);
  }

  /** Digits, the last one first found and last written. */
  private static void putNumber(ByteBuf into, int number) {
    if (number >= 10) {
      putNumber(into, number / 10);
    }
    into.writeByte('0' + number % 10);
  }
}
