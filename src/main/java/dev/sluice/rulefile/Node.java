package dev.sluice.rulefile;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * A part of a rule file or resource: what stands there, and where. Only the same node is equal to
 * it, since aliases make a graph of nodes.
 *
 * <p>A file of a hundred thousand rules has a million of them at one time, so they hold little: no
 * marks, no ends, no tags that follow from the text.
 */
abstract sealed class Node {
  private static final Resolver RESOLVER = new Resolver();
  private static final Set<String> NULLS = Set.of("", " ", "~", "null", "Null", "NULL");
  private static final int LONGEST_NULL = 4;
  private static final int LONGEST_QUOTATION = 40;

  private final int line;
  private final int column;
  private final @Nullable ValuePath path;

  private Node(Spot spot) {
    line = spot.line;
    column = spot.column;
    path = spot.path;
  }

  /**
   * Where a node is.
   *
   * @param line from 0; in a resource, how many values begin before it
   * @param column from 0
   * @param path the way to it, in a resource
   */
  record Spot(int line, int column, @Nullable ValuePath path) {
    static Spot of(Mark mark) {
      return new Spot(mark.getLine(), mark.getColumn(), null);
    }
  }

  /** A text, or what looks like one until somebody knows what it should be. */
  static final class Scalar extends Node {
    private final String text;
    private final Style style;

    Scalar(Spot spot, String text, Style style) {
      super(spot);
      this.text = text;
      this.style = style;
    }

    /** As it stands in the file; empty for a null. */
    String text() {
      return isNull() ? "" : text;
    }

    /** As it stands in the file, for a null too. */
    String source() {
      return text;
    }

    boolean isPlain() {
      return style.plain;
    }

    /** Whether a tag says that it is text, as in {@code !!str 1.5}, whatever it looks like. */
    boolean isTaggedAsText() {
      return Tag.STR.equals(style.tag);
    }

    /** Asks the text before the resolver, which is asked for every scalar of a file otherwise. */
    private boolean maySay(Tag tag) {
      return style.tag != null || (Tag.NULL.equals(tag) ? isNullWord() : text.equals("<<"));
    }

    private boolean isNullWord() {
      return text.length() <= LONGEST_NULL && NULLS.contains(text);
    }

    /** What it is by YAML 1.1, unless it has another tag. */
    Tag tag() {
      return style.tag == null ? RESOLVER.resolve(NodeId.scalar, text, style.plain) : style.tag;
    }
  }

  /**
   * How a scalar is written, and so what it may mean.
   *
   * @param plain without quotes
   * @param tag what it is said to be, if anything
   */
  record Style(boolean plain, @Nullable Tag tag) {
    static final Style PLAIN = new Style(true, null);
    static final Style QUOTED = new Style(false, null);
  }

  /** A list. */
  static final class Sequence extends Node {
    private List<Node> elements = List.of();

    /** A list that is empty so far. */
    Sequence(Spot spot) {
      super(spot);
    }

    /** Says what is in it; until then it is empty. An element may lead to the list itself. */
    Sequence with(List<Node> found) {
      elements = found;
      return this;
    }

    /**
     * What is in it, in order. Each element is read once where no alias leads to it: it may be made
     * when it is asked for, and forgotten afterwards.
     */
    List<Node> elements() {
      return elements;
    }
  }

  /** A mapping, with keys that are unknown or come twice. */
  static final class Pairs extends Node {
    private Node[] keysAndValues = {};

    Pairs(Spot spot) {
      super(spot);
    }

    /**
     * Says what is in it; until then it is empty. A value may lead to the mapping itself.
     *
     * @param found each key before its value
     */
    Pairs with(List<Node> found) {
      keysAndValues = found.toArray(Node[]::new);
      return this;
    }

    int size() {
      return keysAndValues.length / 2;
    }

    Node key(int index) {
      return keysAndValues[2 * index];
    }

    Node value(int index) {
      return keysAndValues[2 * index + 1];
    }

    /** The first of the keys that are this text; there has to be one. */
    Node firstKey(String text) {
      return IntStream.range(0, size())
          .mapToObj(this::key)
          .filter(key -> key instanceof Scalar scalar && scalar.text().equals(text))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Where it is in this file or resource. */
  Place place(String file) {
    return path == null
        ? new Place.InFile(file, line + 1, column + 1)
        : new Place.InResource(file, line, Reading.printable(path.toString()));
  }

  boolean isNull() {
    return is(Tag.NULL);
  }

  /** Whether it is the key of mappings whose pairs are taken over. */
  boolean isMerge() {
    return is(Tag.MERGE);
  }

  private boolean is(Tag tag) {
    return this instanceof Scalar scalar && scalar.maySay(tag) && tag.equals(scalar.tag());
  }

  /** What it is, for messages. */
  String describe() {
    if (this instanceof Pairs) {
      return "a mapping";
    }
    if (!(this instanceof Scalar scalar)) {
      return "a list";
    }
    if (isNull()) {
      return "empty";
    }
    String text = scalar.text;
    String shown =
        text.length() > LONGEST_QUOTATION ? text.substring(0, LONGEST_QUOTATION) + "…" : text;
    return scalar.isPlain() ? shown : "the quoted text '" + shown + "'";
  }
}
