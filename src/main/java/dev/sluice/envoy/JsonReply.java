package dev.sluice.envoy;

/**
 * What goes back to who sent JSON.
 *
 * @param status of HTTP
 * @param contentType of the body
 * @param body ends with a new line
 */
public record JsonReply(int status, String contentType, String body) {
  static JsonReply json(int status, String body) {
    return new JsonReply(status, "application/json", body + "\n");
  }

  static JsonReply text(int status, String body) {
    return new JsonReply(status, "text/plain; charset=utf-8", body + "\n");
  }

  /** Whether it says what was decided. */
  boolean isDecision() {
    return status == 200 || status == 429;
  }
}
