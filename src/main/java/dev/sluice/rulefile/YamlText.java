package dev.sluice.rulefile;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * YAML as a graph of nodes with their places. Scalars stay text: what they mean is for their reader
 * to say.
 */
final class YamlText {
  private static final int LARGEST_CODE_POINTS = 256 * 1024 * 1024;
  private static final int DEEPEST = 200;
  private static final int MOST_ALIASES = 100_000;
  private static final Pattern UNHELPFUL = Pattern.compile("\\. \\(Do not use .*");

  private YamlText() {}

  /**
   * The root of the one document in the file; nothing where there is none, which is then a problem.
   */
  static List<Node> documents(RuleText text, Reading reading) {
    if (text instanceof RuleText.Unreadable unreadable) {
      String part = reading.options().origin().part();
      reading.problem(
          reading.start(),
          "the %s cannot be read: %s (expected a readable %s)",
          part,
          unreadable.reason(),
          part);
      return List.of();
    }
    return text instanceof RuleText.Resource resource
        ? List.of(ValueNodes.of(resource.values()))
        : documents(((RuleText.Read) text).bytes(), reading);
  }

  private static List<Node> documents(ByteBuffer bytes, Reading reading) {
    CharBuffer decoded = CharBuffer.allocate(bytes.remaining());
    CoderResult result =
        StandardCharsets.UTF_8.newDecoder().decode(bytes.asReadOnlyBuffer(), decoded, true);
    String text = decoded.flip().toString();
    if (result.isError()) {
      reading.problem(reading.behind(text), "not text in UTF-8 (expected YAML in UTF-8)");
      return List.of();
    }
    return documents(text.startsWith("\uFEFF") ? text.substring(1) : text, reading);
  }

  private static List<Node> documents(String text, Reading reading) {
    try {
      return one(text, reading);
    } catch (ReaderException e) {
      int good = (int) text.codePoints().takeWhile(StreamReader::isPrintable).count();
      reading.problem(
          reading.behind(text.substring(0, text.offsetByCodePoints(0, good))),
          "the character U+%04X is not allowed in YAML (expected printable text)",
          e.getCodePoint());
    } catch (MarkedYAMLException e) {
      Place place =
          e.getProblemMark() == null ? reading.start() : reading.place(e.getProblemMark());
      reading.problem(
          place,
          "not valid YAML: %s%s (expected %s)",
          UNHELPFUL.matcher(String.valueOf(e.getProblem())).replaceAll(""),
          context(e, place, reading),
          Remedy.forError(e));
    } catch (YAMLException tooMuch) {
      reading.problem(reading.start(), "%s (expected less of it)", firstLine(tooMuch));
    }
    return List.of();
  }

  private static List<Node> one(String text, Reading reading) {
    List<Node> roots = new ArrayList<>();
    for (Node root : yaml().composeAll(new StringReader(text))) {
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

  private static String context(MarkedYAMLException e, Place place, Reading reading) {
    if (e.getContext() == null) {
      return "";
    }
    Mark begin = e.getContextMark();
    return begin == null || reading.place(begin).equals(place)
        ? " " + e.getContext()
        : String.format(" %s from %s on", e.getContext(), reading.place(begin));
  }

  private static String firstLine(YAMLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
