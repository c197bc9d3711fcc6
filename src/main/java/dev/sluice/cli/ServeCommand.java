package dev.sluice.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice serve}: runs the server. */
@Command(
    name = "serve",
    description =
        "Runs the server. Everything else is set by environment variables; the README lists them.",
    mixinStandardHelpOptions = true)
final class ServeCommand implements Callable<Integer> {
  private final Sluice.Server server;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description = "Directory of rule files; default: config/.")
  private @Nullable Path directory;

  @Option(names = "--until-warm", hidden = true)
  private boolean untilWarm;

  ServeCommand(Sluice.Server server) {
    this.server = server;
  }

  @Override
  public Integer call() {
    try {
      server.start(Optional.ofNullable(directory), untilWarm);
      return 0;
    } catch (RuntimeException e) {
      System.err.println("sluice: " + e.getMessage());
      return 1;
    }
  }
}
