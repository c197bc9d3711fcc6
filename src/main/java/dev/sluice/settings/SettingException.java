package dev.sluice.settings;

/**
 * An environment variable has a value that means nothing. The message says which, what it is and
 * what was expected.
 */
public final class SettingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public SettingException(String message) {
    super(message);
  }
}
