package dev.sluice.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP port with a route for each path.
 *
 * <p>Its threads are its own, so that a slow caller here never delays one of Envoy's. A body that
 * is too long or no text, a path that is unknown and a route that fails each get the status for it.
 */
public final class AdminServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);

  /** The status of a reply of which nothing was sent. */
  private static final int NOT_BEGUN = -1;

  private static final int LONGEST_BODY = 1024 * 1024;

  static {
    // Who sends or takes a message more slowly than this holds a thread for no good reason.
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    System.setProperty("sun.net.httpserver.maxRspTime", "10");
    // Head and body are sent one after the other; without this a caller waits 40 ms for the second.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final ThreadPoolExecutor threads;

  /**
   * A server that listens.
   *
   * @param name of its threads
   * @throws IOException if the address is not free or not this machine's
   */
  public AdminServer(String name, InetSocketAddress address, Map<String, Route> routes)
      throws IOException {
    server = HttpServer.create(address, 0);
    threads = Threads.named("sluice-" + name);
    server.setExecutor(threads);
    server.createContext(
        "/", exchange -> handle(exchange, routes.get(exchange.getRequestURI().getPath())));
    server.start();
  }

  /** The port that it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange, @Nullable Route route) throws IOException {
    if (route == null) {
      send(exchange, Route.Reply.text(404, "Not Found\n"));
      return;
    }
    byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
    if (body.length > LONGEST_BODY) {
      refuseTooLong(exchange);
      return;
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException e) {
      send(exchange, Route.Reply.text(400, "Bad Request: the body is not text in UTF-8\n"));
      return;
    }
    answer(exchange, route, text);
  }

  private void answer(HttpExchange exchange, Route route, String body) {
    String query = Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), "");
    String accept = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Accept"), "");
    try {
      var unused =
          route
              .handle(new Route.Request(exchange.getRequestMethod(), query, accept, body))
              .whenCompleteAsync((reply, error) -> reply(exchange, reply, error), threads);
    } catch (RuntimeException e) {
      reply(exchange, null, e);
    }
  }

  /** Reads to the end first: who is cut off while sending does not see the reply. */
  private static void refuseTooLong(HttpExchange exchange) throws IOException {
    var unused = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
    send(
        exchange,
        Route.Reply.text(413, "Payload Too Large: expected at most " + LONGEST_BODY + " bytes\n"));
  }

  private static void reply(
      HttpExchange exchange, Route.@Nullable Reply reply, @Nullable Throwable error) {
    try {
      if (reply == null) {
        failed(exchange, error);
      } else {
        send(exchange, reply);
      }
    } catch (IOException e) {
      LOG.debug("A caller went away before its answer came", e);
    }
  }

  private static void failed(HttpExchange exchange, @Nullable Throwable error) throws IOException {
    LOG.error("{} could not be answered", exchange.getRequestURI().getPath(), error);
    send(exchange, Route.Reply.text(500, "Internal Server Error: the log says why\n"));
  }

  private static void send(HttpExchange exchange, Route.Reply reply) throws IOException {
    try {
      exchange.getResponseHeaders().set("Content-Type", reply.contentType());
      ReplyStream stream = new ReplyStream(exchange, reply.status());
      Writer text = new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
      reply.body().writeTo(text);
      text.flush();
      stream.end();
    } catch (RuntimeException e) {
      boolean begun = exchange.getResponseCode() != NOT_BEGUN;
      if (begun) {
        LOG.error("{} was answered in part", exchange.getRequestURI().getPath(), e);
      } else {
        failed(exchange, e);
      }
    } finally {
      exchange.close();
    }
  }

  /** Stops listening; answers under way get a moment to leave. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
    try {
      var unused =
          threads.awaitTermination(Duration.ofSeconds(1).toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
