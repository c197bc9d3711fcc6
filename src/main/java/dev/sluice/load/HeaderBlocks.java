package dev.sluice.load;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The headers of calls as HPACK has them (RFC 7541). The first call of a connection says them in
 * full and puts them into the server's table; all others name the places there.
 */
final class HeaderBlocks {
  private static final int METHOD_POST = 0x80 | 3;
  private static final int SCHEME_HTTP = 0x80 | 6;
  private static final int NEW_NAME_INDEXED = 0x40;
  private static final int INDEXED = 0x80;
  private static final int FIRST_DYNAMIC = 62;
  private static final int LONGEST = 126;

  private final byte[] first;
  private final byte[] next;

  /**
   * The headers of calls to a target.
   *
   * @throws IllegalArgumentException if one is longer than this encodes, or there are too many
   */
  HeaderBlocks(Target target) {
    List<Target.Header> headers = new ArrayList<>();
    headers.add(new Target.Header(":path", target.path()));
    headers.add(new Target.Header(":authority", "localhost"));
    headers.add(new Target.Header("te", "trailers"));
    headers.add(new Target.Header("content-type", "application/grpc"));
    headers.addAll(target.headers());
    ByteArrayOutputStream full = start();
    ByteArrayOutputStream places = start();
    for (int i = 0; i < headers.size(); i++) {
      full.write(NEW_NAME_INDEXED);
      string(full, headers.get(i).name());
      string(full, headers.get(i).value());
      places.write(INDEXED | (FIRST_DYNAMIC + headers.size() - 1 - i));
    }
    first = full.toByteArray();
    next = places.toByteArray();
  }

  /** Those of the first call of a connection. */
  byte[] first() {
    return first;
  }

  /** Those of every other one. */
  byte[] next() {
    return next;
  }

  private static ByteArrayOutputStream start() {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(METHOD_POST);
    block.write(SCHEME_HTTP);
    return block;
  }

  private static void string(ByteArrayOutputStream block, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length > LONGEST) {
      throw new IllegalArgumentException(
          String.format(
              "'%s' has %d bytes (expected at most %d in a header)", text, bytes.length, LONGEST));
    }
    block.write(bytes.length);
    block.writeBytes(bytes);
  }
}
