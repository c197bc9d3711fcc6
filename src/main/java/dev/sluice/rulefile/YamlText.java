package dev.sluice.rulefile;

import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * YAML as a graph of nodes with their places. Scalars stay text: what they mean is for their reader
 * to say.
 */
final class YamlText {
  private static final Pattern UNHELPFUL = Pattern.compile("\\. \\(Do not use .*");
  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final int CHARACTERS_AT_A_TIME = 8192;

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
    ByteBuffer content = withoutMark(bytes);
    Optional<ByteBuffer> beginning = beforeFault(content);
    if (beginning.isPresent()) {
      reading.problem(
          reading.behind(decoded(beginning.get())), "not text in UTF-8 (expected YAML in UTF-8)");
      return List.of();
    }
    try {
      return one(content, reading);
    } catch (ReaderException e) {
      String text = decoded(content);
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

  private static ByteBuffer withoutMark(ByteBuffer bytes) {
    ByteBuffer mark = StandardCharsets.UTF_8.encode(BYTE_ORDER_MARK);
    ByteBuffer content = bytes.slice();
    if (content.limit() >= mark.limit() && content.slice(0, mark.limit()).equals(mark)) {
      content.position(mark.limit());
    }
    return content.slice();
  }

  /** What stands before the first bytes that are no text in UTF-8, if there are such bytes. */
  private static Optional<ByteBuffer> beforeFault(ByteBuffer content) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer characters = CharBuffer.allocate(CHARACTERS_AT_A_TIME);
    ByteBuffer rest = content.duplicate();
    CoderResult result;
    do {
      result = decoder.decode(rest, characters.clear(), true);
    } while (result.isOverflow());
    return result.isError() ? Optional.of(rest.flip()) : Optional.empty();
  }

  private static String decoded(ByteBuffer content) {
    return StandardCharsets.UTF_8.decode(content.duplicate()).toString();
  }

  private static List<Node> one(ByteBuffer content, Reading reading) {
    ByteArrayInputStream stream =
        new ByteArrayInputStream(content.array(), content.arrayOffset(), content.limit());
    List<Node> roots =
        NodeComposer.documents(new InputStreamReader(stream, StandardCharsets.UTF_8));
    if (roots.isEmpty()) {
      reading.problem(reading.start(), "the file is empty (expected a domain and its descriptors)");
    }
    if (roots.size() > 1) {
      reading.problem(
          roots.get(1), "a second document in one file (expected one file for each domain)");
    }
    return roots;
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
