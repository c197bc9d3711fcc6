package dev.sluice.admin;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The body of a reply on its way: one that is short is sent with its length, the begin of a longer
 * one is sent before its end is known. To HEAD nothing of it is sent. Used by one thread.
 */
final class ReplyStream extends OutputStream {
  private static final int SHORT = 65_536;
  private static final int NO_BODY = -1;
  private static final int UNKNOWN_LENGTH = 0;

  private final HttpExchange exchange;
  private final int status;
  private final boolean wanted;
  private final ByteArrayOutputStream begin = new ByteArrayOutputStream();
  private @Nullable OutputStream out;

  /** A reply of which nothing is sent yet. */
  ReplyStream(HttpExchange exchange, int status) {
    this.exchange = exchange;
    this.status = status;
    wanted = !exchange.getRequestMethod().equals("HEAD");
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (!wanted) {
      return;
    }
    if (out == null && begin.size() + length > SHORT) {
      exchange.sendResponseHeaders(status, UNKNOWN_LENGTH);
      out = exchange.getResponseBody();
      begin.writeTo(out);
    }
    OutputStream open = out == null ? begin : out;
    open.write(bytes, offset, length);
  }

  /** Sends what is left; where that is all, with its length. */
  void end() throws IOException {
    if (out == null) {
      boolean empty = begin.size() == 0;
      exchange.sendResponseHeaders(status, empty ? NO_BODY : begin.size());
      out = exchange.getResponseBody();
      if (!empty) {
        begin.writeTo(out);
      }
    }
    out.close();
  }
}
