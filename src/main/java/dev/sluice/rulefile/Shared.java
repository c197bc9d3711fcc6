package dev.sluice.rulefile;

import java.util.HashMap;
import java.util.Map;

/**
 * Sees to it that values that are equal are the same object, since most rules of a large set say
 * the same. Not thread-safe.
 */
final class Shared<T> {
  private final Map<T, T> values = new HashMap<>();

  /** The first value that was equal to this one. */
  T of(T value) {
    T earlier = values.putIfAbsent(value, value);
    return earlier == null ? value : earlier;
  }
}
