package dev.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

/** A command that was typed, and what came of it. */
record CommandLineCase(int code, List<String> out, List<String> err) {
  /** Runs a command; whoever does has locked the output of the process. */
  static CommandLineCase run(Sluice.Server server, String... arguments) {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ByteArrayOutputStream complained = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(said, true, UTF_8));
      System.setErr(new PrintStream(complained, true, UTF_8));
      int code = Sluice.run(server, arguments);
      return new CommandLineCase(
          code, said.toString(UTF_8).lines().toList(), complained.toString(UTF_8).lines().toList());
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
