package dev.sluice.admin;

import java.io.IOException;
import java.io.Writer;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Answers requests for one path. Called on a thread that may block; the stage may complete on any
 * thread.
 */
@FunctionalInterface
public interface Route {
  /** The reply to a request. */
  CompletionStage<Reply> handle(Request request);

  /**
   * A request.
   *
   * @param method of HTTP
   * @param query what follows the question mark, as it was sent; empty where there is none
   * @param accept what the caller would like, empty if it does not say
   * @param body as text in UTF-8
   */
  record Request(String method, String query, String accept, String body) {
    /** The first value of a parameter in the query. */
    public Optional<String> parameter(String name) {
      return Arrays.stream(query.split("&", -1))
          .filter(it -> it.startsWith(name + "="))
          .map(it -> URLDecoder.decode(it.substring(name.length() + 1), StandardCharsets.UTF_8))
          .findFirst();
    }
  }

  /** What is sent; written while it is, since it may be long. Nothing of it may be kept. */
  @FunctionalInterface
  interface Body {
    /** Writes all of it. */
    void writeTo(Writer out) throws IOException;
  }

  /**
   * A reply.
   *
   * @param status of HTTP
   * @param contentType of the body
   * @param body as text, sent in UTF-8
   */
  record Reply(int status, String contentType, Body body) {
    /** The type of plain text. */
    public static final String PLAIN = "text/plain; charset=utf-8";

    /** A reply of a text that is there. */
    public static Reply of(int status, String contentType, String text) {
      return new Reply(status, contentType, out -> out.write(text));
    }

    /** A reply in plain text. */
    public static Reply text(int status, String body) {
      return of(status, PLAIN, body);
    }
  }
}
