package dev.sluice.rulefile;

import org.jspecify.annotations.Nullable;

/**
 * The way to a value of a resource. Its text is made when somebody wants to read it: paths share
 * their beginnings, texts would not.
 *
 * @param parent the way to what the value is in; null for the whole
 * @param name that it has there; null in a list
 * @param index that it has in a list
 */
record ValuePath(@Nullable ValuePath parent, @Nullable String name, int index) {
  /** The way to the whole. */
  static final ValuePath ROOT = new ValuePath(null, null, 0);

  ValuePath down(String key) {
    return new ValuePath(this, key, 0);
  }

  ValuePath down(int position) {
    return new ValuePath(this, null, position);
  }

  /** Such as {@code descriptors[0].rate_limit.unit}; empty for the whole. */
  @Override
  public String toString() {
    if (parent == null) {
      return "";
    }
    String before = parent.toString();
    if (name == null) {
      return before + "[" + index + "]";
    }
    return before.isEmpty() ? name : before + "." + name;
  }
}
