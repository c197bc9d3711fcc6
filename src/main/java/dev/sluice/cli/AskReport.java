package dev.sluice.cli;

import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.proto.service.RateLimitResponse.DescriptorStatus;
import io.grpc.Status;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/** What was answered: a line for each call, and a summary where there were several. Thread-safe. */
final class AskReport {
  private static final double NANOS_PER_MILLI = 1e6;

  private final PrintWriter out;
  private final PrintWriter err;
  private final Ansi ansi;
  private final long[] latencies;
  private int answers;
  private int allowed;
  private int errors;

  AskReport(PrintWriter out, PrintWriter err, Ansi ansi, int times) {
    this.out = out;
    this.err = err;
    this.ansi = ansi;
    latencies = new long[times];
  }

  /** Says an answer. */
  synchronized void answered(RateLimitResponse answer, long nanos) {
    latencies[answers++] = nanos;
    allowed += answer.getOverallCode() == Code.OK ? 1 : 0;
    out.println(
        colored(answer.getOverallCode())
            + ": "
            + answer.getStatusesList().stream().map(this::text).collect(Collectors.joining("; ")));
  }

  /** Says that there was none. */
  synchronized void failed(Status status) {
    errors++;
    err.println(
        ansi.string("@|bold,red ERROR|@")
            + ": "
            + status.getCode()
            + (status.getDescription() == null ? "" : " " + status.getDescription())
            + cause(status));
  }

  /** What went wrong at the bottom of it, such as a refused connection. */
  private static String cause(Status status) {
    Throwable cause = status.getCause();
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause == null ? "" : " (" + cause.getMessage() + ")";
  }

  /** Says the summary; the result is the exit code. */
  synchronized int finish() {
    if (latencies.length > 1) {
      out.printf(
          "%d calls: %d OK, %d OVER_LIMIT, %d failed%n",
          answers + errors, allowed, answers - allowed, errors);
    }
    if (latencies.length > 1 && answers > 0) {
      long[] sorted = Arrays.copyOf(latencies, answers);
      Arrays.sort(sorted);
      out.printf(
          Locale.ROOT,
          "latency: p50 %.1f ms, p99 %.1f ms, max %.1f ms%n",
          quantile(sorted, 50),
          quantile(sorted, 99),
          quantile(sorted, 100));
    }
    out.flush();
    err.flush();
    if (errors > 0) {
      return AskCommand.FAILED;
    }
    return allowed == answers ? 0 : 1;
  }

  /** In milliseconds: the least latency that so many in a hundred do not exceed. */
  private static double quantile(long[] sorted, int percent) {
    int rank = (int) (((long) sorted.length * percent + 99) / 100);
    return sorted[rank - 1] / NANOS_PER_MILLI;
  }

  private String text(DescriptorStatus status) {
    String code = colored(status.getCode());
    if (!status.hasCurrentLimit()) {
      return code + " no limit";
    }
    RateLimitResponse.RateLimit limit = status.getCurrentLimit();
    return String.format(
        "%s limit %s/%s remaining %s reset %ds",
        code,
        Integer.toUnsignedString(limit.getRequestsPerUnit()),
        limit.getUnit().name().toLowerCase(Locale.ROOT),
        Integer.toUnsignedString(status.getLimitRemaining()),
        status.getDurationUntilReset().getSeconds());
  }

  private String colored(Code code) {
    return ansi.string(String.format("@|%s %s|@", code == Code.OK ? "green" : "red", code));
  }
}
