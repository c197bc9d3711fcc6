package dev.sluice.rulefile;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Elements that are let go as they are read: what is made of them takes their place in memory. Not
 * thread-safe.
 */
final class ReadOnce extends AbstractList<Node> {
  private final @Nullable Node[] elements;

  ReadOnce(List<Node> elements) {
    this.elements = elements.toArray(Node[]::new);
  }

  @Override
  public Node get(int index) {
    Node element = Objects.requireNonNull(elements[index], "an element that was read before");
    elements[index] = null;
    return element;
  }

  @Override
  public int size() {
    return elements.length;
  }
}
