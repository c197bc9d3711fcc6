package dev.sluice.envoy;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.sluice.bucket.Deadline;
import dev.sluice.decision.Answer;
import dev.sluice.decision.Limiter;
import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse;
import dev.sluice.proto.service.RateLimitResponse.Code;
import java.io.IOException;
import java.io.StringReader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The rate limit service for people and scripts: the same messages as proto3 JSON. Thread-safe;
 * never blocks.
 */
public final class JsonEndpoint {
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().omittingInsignificantWhitespace();

  private final Limiter limiter;
  private final ResponseWriter writer;
  private final CallObserver observer;

  public JsonEndpoint(Limiter limiter, AnswerFormat format, CallObserver observer) {
    this.limiter = limiter;
    writer = new ResponseWriter(format);
    this.observer = observer;
  }

  /** What to reply to a body. The stage fails only if the decision's does. */
  public CompletionStage<JsonReply> ask(String body) {
    long startNanos = System.nanoTime();
    return decided(body)
        .whenComplete(
            (reply, error) ->
                observer.ended(
                    CallObserver.Method.JSON, ending(reply), System.nanoTime() - startNanos));
  }

  private static CallObserver.Ending ending(@Nullable JsonReply reply) {
    return reply != null && reply.isDecision()
        ? CallObserver.Ending.ANSWERED
        : CallObserver.Ending.FAILED;
  }

  private CompletionStage<JsonReply> decided(String body) {
    try {
      RateLimitRequest.Builder parsed = RateLimitRequest.newBuilder();
      JsonFormat.parser().merge(body, parsed);
      checkIsAll(body);
      RateLimitRequest request = parsed.build();
      return limiter
          .decide(RequestReader.read(request, Deadline.NONE))
          .thenApply(answer -> reply(request, answer))
          .exceptionallyCompose(JsonEndpoint::undecided);
    } catch (InvalidProtocolBufferException | MalformedRequestException e) {
      return CompletableFuture.completedFuture(JsonReply.text(400, "Bad Request: " + reason(e)));
    }
  }

  private static CompletionStage<JsonReply> undecided(Throwable error) {
    return Undecided.reason(error)
        .map(it -> JsonReply.text(503, "Service Unavailable: " + it))
        .map(CompletableFuture::completedFuture)
        .orElseGet(() -> CompletableFuture.failedFuture(error));
  }

  /** The parser above overlooks what follows the message, and some mistakes within it. */
  private static void checkIsAll(String body) {
    try (JsonReader reader = new JsonReader(new StringReader(body))) {
      reader.skipValue();
      if (reader.peek() == JsonToken.END_DOCUMENT) {
        return;
      }
    } catch (IOException notJson) {
      // What is wrong is said below, in words that are not for programmers.
    }
    throw new MalformedRequestException("the body is not strict JSON (expected one message)");
  }

  /**
   * What is wrong with a body, without the name of the parser's exception and its advice to
   * programmers.
   */
  private static String reason(Exception e) {
    String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return first.replaceFirst("^[a-z.]+[.]\\w+Exception: ", "");
  }

  private JsonReply reply(RateLimitRequest request, Answer answer) {
    if (!(answer instanceof Answer.Decision decision)) {
      return JsonReply.text(503, "Service Unavailable: no rules are loaded yet; the log says why");
    }
    RateLimitResponse response = writer.write(request, decision);
    try {
      return JsonReply.json(
          response.getOverallCode() == Code.OK ? 200 : 429, PRINTER.print(response));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("an answer has no JSON form", e);
    }
  }
}
