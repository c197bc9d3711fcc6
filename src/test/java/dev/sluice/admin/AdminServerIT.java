package dev.sluice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTP server by itself, with routes made for the test. */
@SuppressWarnings("NullAway.Init")
final class AdminServerIT {
  private static final int SLOW_CLIENTS = 20;
  private static final int LONG = 200_000;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private AdminServer server;

  @BeforeEach
  void start() throws IOException {
    Map<String, Route> routes =
        Map.of(
            "/echo", request -> done(request.method() + " " + request.body()),
            "/thrown",
                request -> {
                  throw new IllegalStateException("of no use to a caller");
                },
            "/long", request -> CompletableFuture.completedFuture(written(LONG)),
            "/broken",
                request ->
                    CompletableFuture.completedFuture(
                        new Route.Reply(
                            200,
                            Route.Reply.PLAIN,
                            out -> {
                              throw new IllegalStateException("while it is written");
                            })),
            "/failed",
                request ->
                    CompletableFuture.failedFuture(new IllegalStateException("nor is this")));
    server = new AdminServer("test", new InetSocketAddress("localhost", 0), routes);
  }

  private static Route.Reply written(int lines) {
    return new Route.Reply(
        200,
        Route.Reply.PLAIN,
        out -> {
          for (int i = 0; i < lines; i++) {
            out.write("line " + i + " ü\n");
          }
        });
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aRouteGetsTheMethodAndTheBodyAsText() throws Exception {
    assertThat(post("/echo", "grüße 🛶").body()).isEqualTo("POST grüße 🛶");
  }

  @Test
  void aLongReplyIsSentWhileItIsWrittenAndComesWhole() throws Exception {
    HttpResponse<String> reply = post("/long", "");

    assertThat(reply.headers().firstValue("content-length")).isEmpty();
    assertThat(reply.body().lines()).hasSize(LONG).last().isEqualTo("line " + (LONG - 1) + " ü");
  }

  @Test
  void nothingOfALongReplyIsSentToHead() throws Exception {
    HttpResponse<String> reply =
        client.send(
            HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/long"))
                .timeout(Duration.ofSeconds(20))
                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());

    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.body()).isEmpty();
  }

  @Test
  void aShortReplySaysItsLength() throws Exception {
    assertThat(post("/echo", "ü").headers().firstValue("content-length")).contains("7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/thrown", "/failed", "/broken"})
  void aRouteThatFailsGets500AndKeepsTheReasonForTheLog(String path) throws Exception {
    HttpResponse<String> reply = post(path, "");

    assertThat(reply.statusCode()).isEqualTo(500);
    assertThat(reply.body()).isEqualTo("Internal Server Error: the log says why\n");
  }

  @Test
  void aBodyThatIsTooLongIsReadToItsEndSoThatItsSenderHearsWhy() throws Exception {
    HttpResponse<String> reply = post("/echo", "x".repeat(8 << 20));

    assertThat(reply.statusCode()).isEqualTo(413);
    assertThat(reply.body()).contains("expected at most");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "P",
        "POST /echo HTTP/1.1\r\nHost: x\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf",
      })
  void clientsThatStopHalfWayDoNotKeepOthersWaiting(String begun) throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < SLOW_CLIENTS; i++) {
        Socket socket = new Socket("localhost", server.port());
        sockets.add(socket);
        socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
      }

      assertThat(post("/echo", "soon", Duration.ofSeconds(5)).body()).isEqualTo("POST soon");
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void thereAreNoMoreThreadsThanThereIsWorkAtOneTime() throws Exception {
    for (int i = 0; i < 200; i++) {
      assertThat(post("/echo", "again").statusCode()).isEqualTo(200);
    }

    assertThat(
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("sluice-test-")))
        .hasSizeLessThan(10);
  }

  @Test
  void whoComesWhenAllThreadsAreBusyIsAnsweredLater() throws Exception {
    CompletableFuture<Route.Reply> end = new CompletableFuture<>();
    CountDownLatch busy = new CountDownLatch(64);
    Map<String, Route> routes =
        Map.of(
            "/wait",
            request -> {
              busy.countDown();
              return CompletableFuture.completedFuture(end.join());
            });
    try (AdminServer slow =
        new AdminServer("slow", new InetSocketAddress("localhost", 0), routes)) {
      List<CompletableFuture<HttpResponse<String>>> replies = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        replies.add(
            client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://localhost:" + slow.port() + "/wait"))
                    .timeout(Duration.ofSeconds(20))
                    .build(),
                BodyHandlers.ofString()));
      }
      assertThat(busy.await(20, TimeUnit.SECONDS)).isTrue();
      end.complete(Route.Reply.text(200, "at last"));
      for (CompletableFuture<HttpResponse<String>> reply : replies) {
        assertThat(reply.join().body()).isEqualTo("at last");
      }
    }
  }

  private HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return post(path, body, Duration.ofSeconds(20));
  }

  private HttpResponse<String> post(String path, String body, Duration timeout)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
            .POST(BodyPublishers.ofString(body))
            .timeout(timeout)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static CompletableFuture<Route.Reply> done(String body) {
    return CompletableFuture.completedFuture(Route.Reply.text(200, body));
  }
}
