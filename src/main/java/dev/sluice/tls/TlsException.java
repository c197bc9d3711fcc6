package dev.sluice.tls;

/** A file that TLS needs cannot be used. The message names the setting, the file and the reason. */
public final class TlsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TlsException(String message, Throwable cause) {
    super(message, cause);
  }

  TlsException(String message) {
    super(message);
  }
}
