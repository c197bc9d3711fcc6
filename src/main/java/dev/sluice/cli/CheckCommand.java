package dev.sluice.cli;

import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code sluice check}: says whether a server would take the rule files in a directory. */
@Command(
    name = "check",
    description =
        "Checks the rule files in a directory; exit code 0 if a server would take them, else 1.",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  @Mixin private RuleDirectoryOptions files = new RuleDirectoryOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    Loading loading = files.read();
    loading.warnings().forEach(out::println);
    if (loading instanceof Loading.Rejected rejected) {
      rejected.problems().forEach(out::println);
      out.println(count(rejected.problems().size(), "problem"));
      return 1;
    }
    RuleBook rules = ((Loading.Loaded) loading).rules();
    for (String domain : rules.domains()) {
      out.printf("domain %s: %s%n", domain, count(rules.count(domain), "rule"));
    }
    out.println("all rule files are good");
    return 0;
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
