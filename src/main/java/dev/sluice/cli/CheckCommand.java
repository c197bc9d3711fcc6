package dev.sluice.cli;

import dev.sluice.rule.RuleBook;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.Problem;
import dev.sluice.rulefile.RuleDirectory;
import dev.sluice.rulefile.RuleFiles;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice check}: says whether a server would take the rule files in a directory. */
@Command(
    name = "check",
    description =
        "Checks the rule files in a directory; exit code 0 if a server would take them, else 1.",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "Directory of rule files.")
  private @Nullable Path directory;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    Path path = Objects.requireNonNull(directory);
    if (!Files.isDirectory(path)) {
      throw new ParameterException(
          line, String.format("DIR is '%s' (expected a directory of rule files)", path));
    }
    PrintWriter out = line.getOut();
    RuleDirectory files = new RuleDirectory(path);
    Loading loading = RuleFiles.read(files.name(), files.read());
    if (loading instanceof Loading.Rejected rejected) {
      for (Problem problem : rejected.problems()) {
        out.println(problem);
      }
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
