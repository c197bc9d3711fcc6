package dev.sluice.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line: what is typed after {@code sluice}. */
@Command(
    name = "sluice",
    description = "The rate limit service that Envoy asks.",
    mixinStandardHelpOptions = true,
    version = "sluice ${sluice.version:-development}",
    synopsisSubcommandLabel = "COMMAND")
public final class Sluice implements Runnable {
  /** Starts a server, and returns once it runs; throws what keeps it from running. */
  @FunctionalInterface
  public interface Server {
    /**
     * Starts with the rule files in this directory, or wherever the settings say.
     *
     * @param untilWarm whether the process ends as soon as requests could be sent to it
     */
    void start(Optional<Path> directory, boolean untilWarm);
  }

  @Spec private @org.jspecify.annotations.Nullable CommandSpec spec;

  /**
   * Runs a command. The result is the exit code: 0, 1 where it failed, 2 where it was called
   * wrongly, and what a command has besides.
   */
  public static int run(Server server, String... arguments) {
    return new CommandLine(new Sluice())
        .addSubcommand(new ServeCommand(server))
        .addSubcommand(new CheckCommand())
        .addSubcommand(new ExplainCommand())
        .addSubcommand(new AskCommand())
        .addSubcommand(new BenchCommand())
        .setUsageHelpAutoWidth(true)
        .execute(arguments);
  }

  @Override
  public void run() {
    throw new ParameterException(
        java.util.Objects.requireNonNull(spec).commandLine(), "Missing command");
  }
}
