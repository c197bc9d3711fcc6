package dev.sluice.cli;

import dev.sluice.proto.descriptor.RateLimitDescriptor;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import dev.sluice.rule.Entry;
import io.grpc.ManagedChannel;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code sluice ask}: asks a server as Envoy would, and says what it answered. */
@Command(
    name = "ask",
    description = "Asks a rate limit server as Envoy would, and says what it answered.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all answers were OK",
      "1:some were OVER_LIMIT",
      "2:it was called wrongly",
      "3:a call failed"
    },
    exitCodeOnExecutionException = AskCommand.FAILED)
final class AskCommand implements Callable<Integer> {
  static final int FAILED = 3;
  private static final long MOST_HITS = 0xFFFF_FFFFL;

  @ArgGroup(exclusive = false, order = 0)
  private AskTarget target = new AskTarget();

  @Option(
      names = {"--domain", "-domain"},
      required = true,
      paramLabel = "DOMAIN",
      description = "Whose rules to ask.")
  private String domain = "";

  @Option(
      names = {"--descriptor", "-descriptors", "--descriptors"},
      required = true,
      converter = DescriptorText.Converter.class,
      paramLabel = "K=V[,K=V...]",
      description =
          "A descriptor: entries from the outermost inwards. Only the first = of an entry splits it;"
              + " \\, is a comma and \\\\ a backslash. May be given several times.")
  private List<DescriptorText> descriptors = List.of();

  @Option(names = "--hits", paramLabel = "N", description = "Hits of each request; default: 1.")
  private long hits;

  @Option(names = "--times", paramLabel = "N", description = "How many times to ask; default: 1.")
  private int times = 1;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "How many calls to have under way at a time; default: 1.")
  private int parallel = 1;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    RateLimitRequest request = request(line);
    AskReport report =
        new AskReport(line.getOut(), line.getErr(), line.getColorScheme().ansi(), times);
    ManagedChannel channel = target.connect(line);
    try {
      AskCalls calls = new AskCalls(RateLimitServiceGrpc.newStub(channel), request, times, report);
      calls.run(parallel);
    } finally {
      channel.shutdownNow();
      var unused = channel.awaitTermination(1, TimeUnit.SECONDS);
    }
    return report.finish();
  }

  private RateLimitRequest request(CommandLine line) {
    check(line, "--hits", hits, 0, MOST_HITS);
    check(line, "--times", times, 1, Integer.MAX_VALUE);
    check(line, "--parallel", parallel, 1, 10_000);
    RateLimitRequest.Builder request =
        RateLimitRequest.newBuilder().setDomain(domain).setHitsAddend((int) hits);
    descriptors.forEach(it -> request.addDescriptors(message(it)));
    return request.build();
  }

  private static RateLimitDescriptor message(DescriptorText descriptor) {
    RateLimitDescriptor.Builder message = RateLimitDescriptor.newBuilder();
    for (Entry entry : descriptor.entries()) {
      message.addEntriesBuilder().setKey(entry.key()).setValue(entry.value());
    }
    return message.build();
  }

  private static void check(CommandLine line, String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new ParameterException(
          line,
          String.format(
              "%s is %d (expected a whole number from %d to %d)", name, value, least, most));
    }
  }
}
