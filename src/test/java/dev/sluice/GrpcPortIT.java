package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.proto.service.RateLimitRequest;
import dev.sluice.proto.service.RateLimitResponse.Code;
import dev.sluice.proto.service.RateLimitServiceGrpc;
import dev.sluice.settings.Settings;
import dev.sluice.testing.RateLimitClient;
import dev.sluice.transport.EventLoops;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the gRPC port listens. */
final class GrpcPortIT {
  private static final RateLimitRequest REQUEST =
      RateLimitClient.request("api", "plan", "free", "api_key", "k1");

  @TempDir private Path home;

  @Test
  void aSocketFileTakesCallsAndIsGoneAfterTheStop() {
    Path socket = home.resolve("sluice.sock");
    try (Application application = start(Map.of("GRPC_UDS", socket.toString()))) {
      assertThat(application.ports().grpc()).isNegative();
      assertThat(Banner.of(application)).contains("unix:" + socket);
      assertThat(ask(socket)).isEqualTo(Code.OK);
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  void theSocketFileOfAProcessThatWasKilledIsReplaced() throws IOException {
    Path socket = home.resolve("sluice.sock");
    listen(socket).close();
    assertThat(socket).exists();
    try (Application application = start(Map.of("GRPC_UDS", socket.toString()))) {
      assertThat(application.rules()).isPresent();
      assertThat(ask(socket)).isEqualTo(Code.OK);
    }
  }

  @Test
  void aSocketFileThatAnotherProcessListensOnStaysAndEndsTheStart() throws IOException {
    Path socket = home.resolve("sluice.sock");
    try (ServerSocketChannel other = listen(socket)) {
      assertThatThrownBy(() -> start(Map.of("GRPC_UDS", socket.toString())))
          .hasMessageContaining("another process listens there (GRPC_UDS sets another)")
          .hasMessageContaining(socket.toString());
      assertThat(other.isOpen()).isTrue();
      assertThat(socket).exists();
    }
  }

  @Test
  void aFileThatIsNoSocketStaysAndEndsTheStart() throws IOException {
    Path file = Files.writeString(home.resolve("precious"), "text");

    assertThatThrownBy(() -> start(Map.of("GRPC_UDS", file.toString())))
        .hasMessageContaining("there is a file that is no socket (GRPC_UDS sets another)");
    assertThat(file).hasContent("text");
  }

  @Test
  void aSocketFileInADirectoryThatIsNotThereEndsTheStart() {
    assertThatThrownBy(() -> start(Map.of("GRPC_UDS", home.resolve("no/sluice.sock").toString())))
        .hasMessageContaining("GRPC_UDS sets another");
  }

  @Test
  void twoColonsAsHostTakeCallsOnEveryLoopbackAddress() throws IOException {
    try (Application application = start(Map.of("GRPC_HOST", "::", "HOST", "::"))) {
      for (InetAddress address : loopbackAddresses()) {
        ManagedChannel channel =
            NettyChannelBuilder.forAddress(
                    new java.net.InetSocketAddress(address, application.ports().grpc()))
                .usePlaintext()
                .build();
        assertThat(ask(channel)).as("gRPC at %s", address).isEqualTo(Code.OK);
        try (java.net.Socket http = new java.net.Socket(address, application.ports().http())) {
          assertThat(http.isConnected()).as("HTTP at %s", address).isTrue();
        }
      }
    }
  }

  private static List<InetAddress> loopbackAddresses() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(InetAddress::isLoopbackAddress)
        .toList();
  }

  private static ServerSocketChannel listen(Path socket) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    channel.bind(UnixDomainSocketAddress.of(socket));
    return channel;
  }

  private static Code ask(Path socket) {
    try (EventLoops loops = new EventLoops(1)) {
      return ask(
          NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
              .overrideAuthority("localhost")
              .eventLoopGroup(loops.group())
              .channelType(EpollDomainSocketChannel.class, DomainSocketAddress.class)
              .usePlaintext()
              .build());
    }
  }

  private static Code ask(ManagedChannel channel) {
    try {
      return RateLimitServiceGrpc.newBlockingStub(channel)
          .withDeadlineAfter(10, TimeUnit.SECONDS)
          .shouldRateLimit(REQUEST)
          .getOverallCode();
    } finally {
      channel.shutdownNow();
    }
  }

  private static Application start(Map<String, String> settings) {
    Map<String, String> environment =
        new HashMap<>(Map.of("PORT", "0", "GRPC_PORT", "0", "PROMETHEUS_ADDR", "127.0.0.1:0"));
    environment.putAll(settings);
    return Application.start(Settings.of(environment), Optional.of(Path.of("config")));
  }
}
