package dev.sluice.rulefile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Makes nodes of what the parser of a file finds: chapter 3.1 of the YAML specification calls that
 * to compose. Equal texts that come soon after one another are the same object. Not thread-safe.
 */
final class NodeComposer {
  private static final int LARGEST_CODE_POINTS = 256 * 1024 * 1024;
  private static final int DEEPEST = 200;
  private static final int MOST_ALIASES = 100_000;
  private static final int SHARED_TEXTS = 1024;
  private static final String NON_SPECIFIC_TAG = "!";
  private static final Resolver RESOLVER = new Resolver();

  private final Parser parser;
  private final Map<String, Node> anchors = new HashMap<>();
  private final @Nullable String[] texts = new @Nullable String[SHARED_TEXTS];
  private int depth;

  /** How many anchors there are on what is being composed, or around it. */
  private int around;

  private int aliases;

  private NodeComposer(Parser parser) {
    this.parser = parser;
  }

  /**
   * The root of each document.
   *
   * @throws YAMLException if it is not YAML, or too much of it
   */
  static List<Node> documents(java.io.Reader text) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(LARGEST_CODE_POINTS);
    return new NodeComposer(new ParserImpl(new StreamReader(text), options)).documents();
  }

  /** What is not YAML although it can be parsed. */
  private static final class Fault extends MarkedYAMLException {
    Fault(String problem, Mark mark) {
      super(null, null, problem, mark);
    }
  }

  private List<Node> documents() {
    List<Node> roots = new ArrayList<>();
    parser.getEvent(); // begin of the stream
    while (!parser.checkEvent(Event.ID.StreamEnd)) {
      parser.getEvent(); // begin of the document
      roots.add(node());
      parser.getEvent(); // end of the document
      anchors.clear();
    }
    return roots;
  }

  private Node node() {
    NodeEvent event = (NodeEvent) parser.getEvent();
    if (event instanceof AliasEvent) {
      return aliased(event);
    }
    if (depth++ > DEEPEST) {
      throw new YAMLException("Nesting Depth exceeded max " + DEEPEST);
    }
    Node node =
        event instanceof ScalarEvent scalar
            ? anchored(scalar, scalar(scalar))
            : collection((CollectionStartEvent) event);
    depth--;
    return node;
  }

  private Node aliased(NodeEvent alias) {
    Node node = anchors.get(alias.getAnchor());
    if (node == null) {
      throw new Fault("found undefined alias " + alias.getAnchor(), alias.getStartMark());
    }
    if (!(node instanceof Node.Scalar) && ++aliases > MOST_ALIASES) {
      throw new YAMLException(
          "Number of aliases for non-scalar nodes exceeds the specified max=" + MOST_ALIASES);
    }
    return node;
  }

  private Node collection(CollectionStartEvent event) {
    var unused = tag(event.getTag(), event);
    int anchor = event.getAnchor() == null ? 0 : 1;
    around += anchor;
    Node node = collection(event, Node.Spot.of(event.getStartMark()));
    around -= anchor;
    return node;
  }

  private Node collection(CollectionStartEvent event, Node.Spot spot) {
    if (event.is(Event.ID.SequenceStart)) {
      Node.Sequence sequence = anchored(event, new Node.Sequence(spot));
      List<Node> elements = nodesUntil(Event.ID.SequenceEnd);
      return sequence.with(around == 0 ? new ReadOnce(elements) : List.copyOf(elements));
    }
    Node.Pairs pairs = anchored(event, new Node.Pairs(spot));
    return pairs.with(nodesUntil(Event.ID.MappingEnd));
  }

  /** What follows, key and value in turn where it is a mapping. */
  private List<Node> nodesUntil(Event.ID end) {
    List<Node> nodes = new ArrayList<>();
    while (!parser.checkEvent(end)) {
      nodes.add(node());
    }
    parser.getEvent();
    return nodes;
  }

  private Node.Scalar scalar(ScalarEvent event) {
    Tag tag = tag(event.getTag(), event);
    boolean plain = event.isPlain();
    Node.Style style = plain ? Node.Style.PLAIN : Node.Style.QUOTED;
    if (tag != null) {
      style = new Node.Style(plain, tag);
    } else if (event.getTag() != null) {
      style = new Node.Style(plain, RESOLVER.resolve(NodeId.scalar, event.getValue(), true));
    }
    return new Node.Scalar(Node.Spot.of(event.getStartMark()), shared(event.getValue()), style);
  }

  /** What a tag says; null where it leaves that to the text. */
  private static @Nullable Tag tag(@Nullable String text, Event event) {
    if (text == null || text.equals(NON_SPECIFIC_TAG)) {
      return null;
    }
    Tag tag = new Tag(text);
    if (tag.isCustomGlobal()) {
      throw new Fault("Global tag is not allowed: " + tag, event.getStartMark());
    }
    return tag;
  }

  private <N extends Node> N anchored(NodeEvent event, N node) {
    if (event.getAnchor() != null) {
      anchors.put(event.getAnchor(), node);
    }
    return node;
  }

  private String shared(String text) {
    int slot = Math.floorMod(text.hashCode(), SHARED_TEXTS);
    String earlier = texts[slot];
    if (text.equals(earlier)) {
      return earlier;
    }
    texts[slot] = text;
    return text;
  }
}
