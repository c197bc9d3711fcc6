package dev.sluice.rulefile;

/**
 * Something in a rule file that keeps it from being used.
 *
 * @param place where it is
 * @param text what was found, and in brackets what was expected
 */
public record Problem(Place place, String text) {
  @Override
  public String toString() {
    return place + ": " + text;
  }
}
