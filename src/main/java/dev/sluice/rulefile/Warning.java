package dev.sluice.rulefile;

/**
 * Something in a rule file that has no effect, and was probably meant to have one. The file is good
 * all the same.
 *
 * @param place where it is
 * @param text what was found
 */
public record Warning(Place place, String text) {
  @Override
  public String toString() {
    return place + ": warning: " + text;
  }
}
