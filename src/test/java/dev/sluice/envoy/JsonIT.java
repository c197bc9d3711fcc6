package dev.sluice.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.sluice.InProcessServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON form of the service over real HTTP. */
@SuppressWarnings("NullAway.Init")
final class JsonIT {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Map<String, String> RULES =
      Map.of(
          "d.yaml",
          """
          domain: d
          descriptors:
            - {key: key, rate_limit: {unit: day, requests_per_unit: 2}}
            - {key: none, rate_limit: {unit: day, requests_per_unit: 0}}
          """);

  private static InProcessServer server;

  @BeforeAll
  static void start() {
    server = InProcessServer.of(RULES);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aRequestThatMayPassGets200AndTheAnswer() throws Exception {
    HttpResponse<String> reply = post(one("key", "a"));

    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.headers().firstValue("Content-Type")).contains("application/json");
    JsonObject answer = json(reply);
    assertThat(answer.get("overallCode").getAsString()).isEqualTo("OK");
    JsonObject status = answer.getAsJsonArray("statuses").get(0).getAsJsonObject();
    assertThat(status.get("limitRemaining").getAsInt()).isEqualTo(1);
    assertThat(status.getAsJsonObject("currentLimit").get("requestsPerUnit").getAsInt())
        .isEqualTo(2);
    assertThat(status.get("durationUntilReset").getAsString()).endsWith("s");
  }

  @Test
  void aRequestThatIsOverItsLimitGets429AndTheAnswer() throws Exception {
    HttpResponse<String> reply = post(one("none", "a"));

    assertThat(reply.statusCode()).isEqualTo(429);
    assertThat(json(reply).get("overallCode").getAsString()).isEqualTo("OVER_LIMIT");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                            | Expect message object",
        "}                                             | ",
        "[]                                            | Expect message object",
        "null                                          | ",
        "{'domain':                                    | ",
        "{'domain':'d','descriptor':[]}                | descriptor",
        "{'domain':'d'}                                | descriptors is empty",
        "{'descriptors':[{}]}                          | domain is empty",
        "{'domain':'d','descriptors':[{'entries':[{'value':'v'}]}]} | descriptors[0].entries[0].key",
        "{'domain':'d','descriptors':[{'limit':{'unit':99}}]}       | descriptors[0].limit.unit is 99",
        "{'domain':'d','descriptors':[{'limit':{'unit':'DAYS'}}]}   | DAYS",
        "{'domain':'d','hitsAddend':-1,'descriptors':[{}]}          | ",
        "{'domain':'d','descriptors':[{'entries':[{'key':'k','value':'v'}]}]} and more | not strict JSON",
        "{'domain':'d','descriptors':[{'entries':[{'key':'k','value':'v'}]}]}{}        | not strict JSON",
        "{domain:'d','descriptors':[{'entries':[{'key':'k','value':'v'}]}]}            | not strict JSON",
        "{'domain':'d','hitsAddend':4294967296,'descriptors':[{}]}  | ",
      })
  void aBodyThatIsNoRequestGets400WithAReason(String body, String reason) throws Exception {
    HttpResponse<String> reply = post(quoted(body));

    assertThat(reply.statusCode()).isEqualTo(400);
    assertThat(reply.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
    assertThat(reply.body())
        .startsWith("Bad Request: ")
        .contains(reason == null ? "" : reason)
        .endsWith("\n")
        .doesNotContain("Exception");
  }

  @Test
  void namesMayBeInSnakeCase() throws Exception {
    HttpResponse<String> reply =
        post(
            quoted(
                "{'domain':'d','hits_addend':2,'descriptors':"
                    + "[{'entries':[{'key':'key','value':'snake'}]}]}"));

    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(post(one("key", "snake")).statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4", "'DAY'"})
  void anEnumMayBeANumberOrAName(String unit) throws Exception {
    HttpResponse<String> reply =
        post(
            quoted(
                "{'domain':'d','descriptors':[{'entries':[{'key':'x','value':'y'}],"
                    + "'limit':{'requestsPerUnit':7,'unit':"
                    + unit
                    + "}}]}"));

    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.body()).contains("\"DAY\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "'0'", "'18446744073709551615'"})
  void aNumberOf64BitsMayBeText(String hits) throws Exception {
    HttpResponse<String> reply =
        post(
            quoted(
                "{'domain':'d','descriptors':[{'entries':[{'key':'key','value':'long'}],"
                    + "'hitsAddend':"
                    + hits
                    + "}]}"));

    assertThat(reply.statusCode()).isIn(200, 429);
  }

  @Test
  void theMethodDoesNotMatter() throws Exception {
    assertThat(send(request().method("GET", BodyPublishers.ofString(one("x", "y")))).statusCode())
        .isEqualTo(200);
    assertThat(send(request().PUT(BodyPublishers.ofString(one("x", "y")))).statusCode())
        .isEqualTo(200);
    assertThat(send(request().GET()).statusCode()).isEqualTo(400);
  }

  @Test
  void theContentTypeDoesNotMatter() throws Exception {
    HttpRequest.Builder request =
        request().header("Content-Type", "image/png").POST(BodyPublishers.ofString(one("x", "y")));

    assertThat(send(request).statusCode()).isEqualTo(200);
  }

  @Test
  void aBodyThatIsNotUtf8Gets400() throws Exception {
    byte[] body = one("key", "value-").getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < body.length; i++) {
      body[i] = body[i] == '-' ? (byte) 0xE9 : body[i];
    }

    HttpResponse<String> reply = send(request().POST(BodyPublishers.ofByteArray(body)));

    assertThat(reply.statusCode()).isEqualTo(400);
    assertThat(reply.body()).contains("UTF-8");
  }

  @Test
  void aBodyThatIsNestedDeeplyGets400() throws Exception {
    assertThat(post("[".repeat(100_000)).statusCode()).isEqualTo(400);
    assertThat(post("{\"domain\":".repeat(50_000)).statusCode()).isEqualTo(400);
  }

  @Test
  void aBodyThatIsHugeGets413() throws Exception {
    HttpResponse<String> reply = post("x".repeat(20 << 20));

    assertThat(reply.statusCode()).isEqualTo(413);
    assertThat(post(one("x", "y")).statusCode()).isEqualTo(200);
  }

  @Test
  void aServerThatNeverHadGoodRulesSays503() throws Exception {
    try (InProcessServer without = InProcessServer.of(Map.of("d.yaml", "domain: [\n"))) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(without.http("/json"))
              .POST(BodyPublishers.ofString(one("key", "a")));

      HttpResponse<String> reply = send(request);

      assertThat(reply.statusCode()).isEqualTo(503);
      assertThat(reply.body()).contains("no rules are loaded yet");
    }
  }

  private static HttpResponse<String> post(String body) throws IOException, InterruptedException {
    return send(request().POST(BodyPublishers.ofString(body)));
  }

  private static HttpRequest.Builder request() {
    return HttpRequest.newBuilder(server.http("/json"));
  }

  private static HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CLIENT.send(request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
  }

  private static JsonObject json(HttpResponse<String> reply) {
    return JsonParser.parseString(reply.body()).getAsJsonObject();
  }

  private static String one(String key, String value) {
    return quoted(
        String.format(
            "{'domain':'d','descriptors':[{'entries':[{'key':'%s','value':'%s'}]}]}", key, value));
  }

  private static String quoted(String singleQuoted) {
    return singleQuoted.replace('\'', '"');
  }
}
