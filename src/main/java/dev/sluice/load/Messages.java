package dev.sluice.load;

/** What is sent. Called on the loop of the connection that sends it; must not block. */
@FunctionalInterface
public interface Messages {
  /** The bytes of the next message, which nobody changes any more. */
  byte[] next();
}
