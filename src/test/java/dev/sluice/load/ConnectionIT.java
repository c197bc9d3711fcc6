package dev.sluice.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.transport.EventLoops;
import io.grpc.Metadata;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls to a server of grpc-java, which is strict about HTTP/2. */
final class ConnectionIT {
  private static final Duration LONG = Duration.ofSeconds(20);
  private final EventLoops loops = new EventLoops(1);
  private final RecordedCalls calls = new RecordedCalls();
  private EchoServer server = new EchoServer(Integer.MAX_VALUE);

  @AfterEach
  void stop() {
    server.close();
    loops.close();
  }

  @Test
  void answersComeWithTheStampOfTheirCalls() {
    make(1_000, new byte[] {1, 2, 3});
    await().atMost(LONG).until(() -> calls.answered().size() == 1_000);
    assertThat(calls.answered()).containsExactlyInAnyOrderElementsOf(stamps(1_000));
    assertThat(calls.lengths()).containsOnly(3);
    assertThat(calls.failed()).isEmpty();
  }

  @Test
  void everyCallCarriesTheHeaders() {
    make(20, new byte[] {1});
    await().atMost(LONG).until(() -> server.headers().size() == 20);
    Metadata.Key<String> own = Metadata.Key.of("own", Metadata.ASCII_STRING_MARSHALLER);
    assertThat(server.headers()).allMatch(it -> "value".equals(it.get(own)));
  }

  @Test
  void whatTheWindowsDoNotAllowWaits() {
    make(500, new byte[16_000]);
    await().atMost(LONG).until(() -> calls.answered().size() == 500);
  }

  @Test
  void noMoreStreamsAreOpenThanTheServerTakes() {
    server.close();
    server = new EchoServer(3);
    make(200, new byte[] {1});
    await().atMost(LONG).until(() -> calls.answered().size() == 200);
    assertThat(calls.failed()).isEmpty();
  }

  @Test
  void errorIsAFailedCall() {
    make(1, new byte[0]);
    await().atMost(LONG).until(() -> !calls.failed().isEmpty());
    assertThat(calls.failed()).containsExactly("0: the server answered with an error");
  }

  @Test
  void callsFailWithTheirConnection() {
    Connection connection = make(1, new byte[] {-1});
    await().atMost(LONG).until(() -> server.headers().size() == 1);
    server.close();
    await().atMost(LONG).until(() -> calls.failed().size() == 1);
    connection.loop().execute(() -> connection.call(new byte[] {1}, 7));
    await().atMost(LONG).until(() -> calls.failed().size() == 2);
    assertThat(calls.failed().get(1)).startsWith("7: ");
  }

  @Test
  void whereNobodyListensThereIsNoConnection() {
    Target nowhere =
        new Target(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
            "/test.Echo/Echo",
            List.of());
    assertThatThrownBy(() -> Connection.open(nowhere, loops, calls).toCompletableFuture().join())
        .hasRootCauseInstanceOf(IOException.class);
  }

  private Connection make(int number, byte[] message) {
    Connection connection = open();
    connection
        .loop()
        .execute(
            () -> {
              for (int i = 0; i < number; i++) {
                connection.call(message, i);
              }
              connection.flush();
            });
    return connection;
  }

  private Connection open() {
    return Connection.open(server.target(), loops, calls).toCompletableFuture().join();
  }

  private static List<Long> stamps(int number) {
    return LongStream.range(0, number).boxed().toList();
  }
}
