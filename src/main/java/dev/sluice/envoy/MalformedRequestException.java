package dev.sluice.envoy;

/**
 * A request that means nothing. The message names the fault. Without a stack trace: it is the
 * caller's fault.
 */
final class MalformedRequestException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MalformedRequestException(String message) {
    super(message, null, false, false);
  }
}
