package dev.sluice.xds;

import dev.sluice.transport.EventLoops;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Who is asked for rules, and as whom. Immutable.
 *
 * @param address where it is, as host:port
 * @param security what connections are secured with; asked for each of them
 * @param self as whom it is asked
 * @param largest how many bytes a response may have
 */
public record ControlPlane(String address, Security security, Self self, int largest) {
  /** Go's servers end connections that are pinged more often, unless they are told otherwise. */
  private static final long MINUTES_BETWEEN_PINGS = 5;

  private static final long SECONDS_FOR_A_PING = 20;

  /**
   * How connections are secured.
   *
   * @param credentials made anew for each connection, so that files are read again; throws a
   *     RuntimeException with a message for people where they cannot be had
   * @param name that the certificate of the control plane has to carry, if it is not that of the
   *     address
   */
  public record Security(Supplier<ChannelCredentials> credentials, Optional<String> name) {}

  /**
   * As whom the control plane is asked.
   *
   * @param node the name that it knows us by
   * @param metadata what else it is told of us
   * @param headers sent with each stream, by name; may be secrets
   */
  public record Self(String node, Map<String, String> metadata, Map<String, String> headers) {
    public Self {
      metadata = Map.copyOf(metadata);
      headers = Map.copyOf(headers);
    }

    private Metadata sent() {
      Metadata sent = new Metadata();
      headers.forEach(
          (name, value) ->
              sent.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
      return sent;
    }

    /** Without the headers. */
    @Override
    public String toString() {
      return "Self[node=" + node + ", metadata=" + metadata + "]";
    }
  }

  /** A channel for one stream; it connects once that is opened, and calls back in the executor. */
  ManagedChannel channel(EventLoops loops, Executor executor) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forTarget("dns:///" + address, security.credentials.get())
            .eventLoopGroup(loops.group())
            .channelType(loops.clientChannel())
            .executor(executor)
            .keepAliveTime(MINUTES_BETWEEN_PINGS, TimeUnit.MINUTES)
            .keepAliveTimeout(SECONDS_FOR_A_PING, TimeUnit.SECONDS)
            .maxInboundMessageSize(largest)
            .intercept(MetadataUtils.newAttachHeadersInterceptor(self.sent()));
    security.name.ifPresent(builder::overrideAuthority);
    return builder.build();
  }
}
