package dev.sluice.rulefile;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/**
 * YAML as a graph of nodes with their places. Scalars stay text: what they mean is for their reader
 * to say.
 */
final class YamlText {
  private static final int LARGEST_CODE_POINTS = 256 * 1024 * 1024;
  private static final int DEEPEST = 200;
  private static final int MOST_ALIASES = 100_000;

  private YamlText() {}

  /**
   * The root of the one document in the file; nothing where there is none, which is then a problem.
   */
  static List<Node> documents(RuleText text, Reading reading) {
    if (text instanceof RuleText.Unreadable unreadable) {
      reading.problem(
          reading.start(),
          "the file cannot be read: %s (expected a readable file)",
          unreadable.reason());
      return List.of();
    }
    return documents(((RuleText.Read) text).bytes(), reading);
  }

  private static List<Node> documents(ByteBuffer bytes, Reading reading) {
    try {
      String decoded =
          StandardCharsets.UTF_8.newDecoder().decode(bytes.asReadOnlyBuffer()).toString();
      return one(decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded, reading);
    } catch (CharacterCodingException e) {
      reading.problem(reading.start(), "the file is not text in UTF-8 (expected YAML)");
    } catch (MarkedYAMLException e) {
      reading.problem(
          e.getProblemMark() == null ? reading.start() : reading.place(e.getProblemMark()),
          "not valid YAML: %s (expected %s)",
          e.getProblem(),
          remedy(e));
    } catch (YAMLException e) {
      reading.problem(
          reading.start(), "not valid YAML: %s (expected a document with a domain)", firstLine(e));
    }
    return List.of();
  }

  private static List<Node> one(String text, Reading reading) {
    List<Node> roots = new ArrayList<>();
    for (Node root : yaml().composeAll(new java.io.StringReader(text))) {
      roots.add(root);
    }
    if (roots.isEmpty()) {
      reading.problem(reading.start(), "the file is empty (expected a domain and its descriptors)");
    }
    if (roots.size() > 1) {
      reading.problem(
          roots.get(1), "a second document in one file (expected one file for each domain)");
    }
    return roots;
  }

  private static Yaml yaml() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(LARGEST_CODE_POINTS);
    options.setNestingDepthLimit(DEEPEST);
    options.setMaxAliasesForCollections(MOST_ALIASES);
    return new Yaml(new SafeConstructor(options));
  }

  private static String remedy(MarkedYAMLException e) {
    if (String.valueOf(e.getProblem()).contains("TAB")) {
      return "spaces for indentation, never tabs";
    }
    return e.getContext() == null
        ? "a document with a domain"
        : "what completes it " + e.getContext();
  }

  private static String firstLine(YAMLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
