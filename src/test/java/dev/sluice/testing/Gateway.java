package dev.sluice.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * An upstream, a Sluice with a copy of the rule files of config/, and an Envoy with the
 * configuration of deploy/, each a server of its own.
 */
public final class Gateway implements AutoCloseable {
  static {
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static final int CLIENTS = 8;
  private static final int CALLS_TO_BE_WARM = 200;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final Path rules;
  private final HttpServer upstream;
  private final EnvoyProcess envoy;
  private SluiceProcess sluice;

  /** Copies the rule files that the project ships to a directory. */
  public static void copyRules(Path into) {
    try (Stream<Path> files = Files.list(SluiceProcess.PROJECT.resolve("config"))) {
      Files.createDirectories(into);
      for (Path file : files.toList()) {
        Files.copy(file, into.resolve(file.getFileName()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts all of it, and warms it.
   *
   * @param binary of Envoy
   * @param rules the directory of Sluice's rule files
   * @param scratch a directory for Envoy's files
   */
  public Gateway(Path binary, Path rules, Path scratch) {
    this.rules = rules;
    try {
      upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    upstream.createContext("/", Gateway::answer);
    upstream.start();
    sluice = SluiceProcess.serve(rules, Map.of());
    try {
      envoy =
          EnvoyProcess.start(
              binary,
              EnvoyConfig.shipped(sluice.grpcPort(), upstream.getAddress().getPort()),
              scratch);
    } catch (RuntimeException | AssertionError e) {
      sluice.close();
      upstream.stop(0);
      throw e;
    }
    try {
      warm();
    } catch (RuntimeException | AssertionError e) {
      close();
      throw e;
    }
  }

  /** The upstream says 200, and that its answer cost as much as the request asks it to say. */
  private static void answer(HttpExchange exchange) throws IOException {
    String tokens = exchange.getRequestHeaders().getFirst("x-answer-costs");
    if (tokens != null) {
      exchange.getResponseHeaders().set("x-tokens", tokens);
    }
    byte[] body = "upstream\n".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /**
   * Lets Sluice and Envoy run in, with a key that no test uses: the first calls of a cold JVM take
   * longer than the 20 ms that Envoy gives them, and Envoy then answers by its failure mode.
   */
  public void warm() {
    for (int i = 0; i < 50; i++) {
      String[] headers = {"x-plan", "pro", "x-api-key", "warm"};
      if (burst(CALLS_TO_BE_WARM, "api", headers).stream().allMatch(Gateway::isDecided)) {
        return;
      }
    }
    throw new AssertionError("Envoy gets no answers in time; Sluice says: " + sluice.errors());
  }

  /** Whether a response carries a decision, and not Envoy's failure mode. */
  public static boolean isDecided(HttpResponse<String> response) {
    return response.headers().firstValue("x-ratelimit-limit").isPresent();
  }

  /** The response of a listener; headers are names and values in turn. */
  public HttpResponse<String> get(String listener, String path, String... headers) {
    URI uri = URI.create("http://127.0.0.1:" + envoy.port(listener) + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.sendAsync(request.build(), BodyHandlers.ofString()).join();
  }

  /** As many requests as fast as they go, from several clients at one time. */
  public List<HttpResponse<String>> burst(int requests, String listener, String... headers) {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<CompletableFuture<HttpResponse<String>>> all =
          Stream.generate(
                  () -> CompletableFuture.supplyAsync(() -> get(listener, "/", headers), clients))
              .limit(requests)
              .toList();
      return all.stream().map(CompletableFuture::join).toList();
    } finally {
      clients.shutdownNow();
    }
  }

  /** What Sluice says to a request in JSON. */
  public String ask(String json) {
    URI uri = URI.create("http://127.0.0.1:" + sluice.httpPort() + "/json");
    HttpRequest request =
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(json)).build();
    return client.sendAsync(request, BodyHandlers.ofString()).join().body();
  }

  /** How many of Envoy's calls got no answer in time, or an error. */
  public long callsWithoutAnswer() {
    return envoy.stat("cluster.upstream.ratelimit.api.error")
        + envoy.stat("cluster.upstream.ratelimit.login.error");
  }

  /** How many of Envoy's calls were given up after the 20 ms. */
  public long callsTimedOut() {
    return envoy.stat("cluster.sluice.upstream_rq_timeout");
  }

  /** Changes a rule file as an editor does: the whole file at once. */
  public void edit(String file, String from, String to) {
    edit(rules.resolve(file), from, to);
  }

  /** Changes a file as an editor does: the whole file at once. */
  public static void edit(Path file, String from, String to) {
    try {
      String text = Files.readString(file);
      if (!text.contains(from)) {
        throw new AssertionError(file + " does not contain: " + from);
      }
      Path draft = Files.writeString(file.resolveSibling(".draft"), text.replace(from, to));
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends Sluice with SIGKILL. */
  public void killSluice() {
    sluice.kill();
  }

  /** Stops Sluice with SIGTERM. The result is its exit code. */
  public int stopSluice() {
    sluice.terminate();
    return sluice.exitCode(Duration.ofSeconds(10));
  }

  /** Starts Sluice again on the port that Envoy knows. */
  public void startSluiceAgain() {
    String port = String.valueOf(sluice.grpcPort());
    sluice = SluiceProcess.serve(rules, Map.of("GRPC_PORT", port));
  }

  @Override
  public void close() {
    envoy.close();
    sluice.close();
    upstream.stop(0);
  }
}
