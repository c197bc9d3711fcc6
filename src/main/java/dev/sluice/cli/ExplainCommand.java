package dev.sluice.cli;

import dev.sluice.rule.Match;
import dev.sluice.rule.Replaced;
import dev.sluice.rule.RuleBook;
import dev.sluice.rule.Trace;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.Suggestion;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice explain}: says which rules a request finds, and why. */
@Command(
    name = "explain",
    description =
        "Says which rules a request finds, and why; exit code 0 if every descriptor finds one, else"
            + " 1.",
    mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
  private static final String STANDARD_PREFIX = "rl:";

  @Mixin private RuleDirectoryOptions files = new RuleDirectoryOptions();

  @Option(
      names = "--domain",
      required = true,
      paramLabel = "DOMAIN",
      description = "What Envoy sends as domain.")
  private String domain = "";

  @Option(
      names = "--descriptor",
      required = true,
      paramLabel = "KEY=VALUE[,KEY=VALUE...]",
      converter = DescriptorText.Converter.class,
      description =
          "The entries of a descriptor. The first '=' ends a key; '\\,' is a comma in a value."
              + " May be given several times.")
  private List<DescriptorText> descriptors = List.of();

  @Option(
      names = "--key-prefix",
      paramLabel = "PREFIX",
      defaultValue = "${env:CACHE_KEY_PREFIX:-" + STANDARD_PREFIX + "}",
      description = "What keys in Redis begin with; default: as CACHE_KEY_PREFIX says.")
  private String keyPrefix = "";

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    Loading loading = files.read();
    if (!(loading instanceof Loading.Loaded loaded)) {
      ((Loading.Rejected) loading).problems().forEach(out::println);
      out.println("the rule files have problems, so a server would not take them");
      return 1;
    }
    RuleBook rules = loaded.rules();
    if (!rules.knows(domain)) {
      out.printf(
          "domain '%s' has no rules%s%n", domain, Suggestion.forWord(domain, rules.domains()));
      return 1;
    }
    List<Trace> traces = descriptors.stream().map(it -> rules.trace(domain, it.entries())).toList();
    List<Match> matches = traces.stream().map(Trace::match).toList();
    String prefix = keyPrefix.isEmpty() ? STANDARD_PREFIX : keyPrefix;
    Explanation explanation = new Explanation(out, rules, domain, prefix);
    Replaced replaced = Replaced.by(matches);
    for (int i = 0; i < traces.size(); i++) {
      explanation.print(i + 1, traces.get(i));
      if (replaced.contains(matches.get(i))) {
        explanation.printReplaced((Match.Found) matches.get(i), matches);
      }
    }
    return matches.stream().allMatch(Match.Found.class::isInstance) ? 0 : 1;
  }
}
