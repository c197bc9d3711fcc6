package dev.sluice.tracing;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.Compressor;
import io.opentelemetry.sdk.common.export.GrpcResponse;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcStatusCode;
import io.opentelemetry.sdk.common.export.MessageWriter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A channel to a collector, and one method on it. Thread-safe; never blocks. */
final class CollectorChannel implements GrpcSender {
  private static final ApplicationProtocolConfig HTTP_2 =
      new ApplicationProtocolConfig(
          ApplicationProtocolConfig.Protocol.ALPN,
          ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
          ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
          "h2");

  private final GrpcSenderConfig config;
  private final MethodDescriptor<MessageWriter, byte[]> method;
  private final ManagedChannel channel;

  /** A channel that connects when it is first used. */
  CollectorChannel(GrpcSenderConfig config) {
    this.config = config;
    method =
        MethodDescriptor.<MessageWriter, byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(config.getFullMethodName())
            .setRequestMarshaller(new Written())
            .setResponseMarshaller(new Bytes())
            .build();
    channel = channel(config);
  }

  private static ManagedChannel channel(GrpcSenderConfig config) {
    URI endpoint = config.getEndpoint();
    boolean plain = endpoint.getScheme().equals("http");
    int standard = plain ? 80 : 443;
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(
                endpoint.getHost(), endpoint.getPort() < 0 ? standard : endpoint.getPort())
            .directExecutor();
    @Nullable SSLContext tls = config.getSslContext();
    if (plain) {
      builder.usePlaintext();
    } else if (tls != null) {
      builder.sslContext(
          new JdkSslContext(
              tls,
              true,
              null,
              IdentityCipherSuiteFilter.INSTANCE,
              HTTP_2,
              ClientAuth.NONE,
              null,
              false));
    }
    @Nullable RetryPolicy policy = config.getRetryPolicy();
    if (policy != null) {
      builder.defaultServiceConfig(retrying(policy));
    }
    return builder.build();
  }

  /** In the terms of gRPC's service config, whose numbers are doubles. */
  private static Map<String, Object> retrying(RetryPolicy policy) {
    Map<String, Object> retry =
        Map.of(
            "maxAttempts",
            (double) policy.getMaxAttempts(),
            "initialBackoff",
            policy.getInitialBackoff().toMillis() / 1e3 + "s",
            "maxBackoff",
            policy.getMaxBackoff().toMillis() / 1e3 + "s",
            "backoffMultiplier",
            policy.getBackoffMultiplier(),
            "retryableStatusCodes",
            List.of("UNAVAILABLE", "RESOURCE_EXHAUSTED", "ABORTED"));
    return Map.of("methodConfig", List.of(Map.of("name", List.of(Map.of()), "retryPolicy", retry)));
  }

  @Override
  public void send(
      MessageWriter message, Consumer<GrpcResponse> onResponse, Consumer<Throwable> onError) {
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(config.getTimeout().toNanos(), TimeUnit.NANOSECONDS);
    @Nullable Compressor compressor = config.getCompressor();
    ClientCall<MessageWriter, byte[]> call =
        channel.newCall(
            method,
            compressor == null ? options : options.withCompression(compressor.getEncoding()));
    try {
      call.start(new Reply(onResponse, onError), headers());
      call.request(1);
      call.sendMessage(message);
      call.halfClose();
    } catch (RuntimeException e) {
      call.cancel("it cannot be sent", e);
      onError.accept(e);
    }
  }

  private Metadata headers() {
    Metadata headers = new Metadata();
    @Nullable Map<String, List<String>> given = config.getHeadersSupplier().get();
    if (given != null) {
      given.forEach(
          (name, values) -> {
            Metadata.Key<String> key = Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
            values.forEach(value -> headers.put(key, value));
          });
    }
    return headers;
  }

  @Override
  public CompletableResultCode shutdown() {
    channel.shutdown();
    return CompletableResultCode.ofSuccess();
  }

  /** What a collector said that took the spans. */
  private static final class Response implements GrpcResponse {
    private final byte[] message;

    Response(byte[] message) {
      this.message = message;
    }

    @Override
    public GrpcStatusCode getStatusCode() {
      return GrpcStatusCode.OK;
    }

    @Override
    public String getStatusDescription() {
      return "";
    }

    @Override
    public byte[] getResponseMessage() {
      return message;
    }
  }

  /** Waits for the end of a call. */
  private static final class Reply extends ClientCall.Listener<byte[]> {
    private final Consumer<GrpcResponse> onResponse;
    private final Consumer<Throwable> onError;
    private byte[] message = {};

    Reply(Consumer<GrpcResponse> onResponse, Consumer<Throwable> onError) {
      this.onResponse = onResponse;
      this.onError = onError;
    }

    @Override
    public void onMessage(byte[] received) {
      message = received;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (status.isOk()) {
        onResponse.accept(new Response(message));
      } else {
        onError.accept(status.asException());
      }
    }
  }
}
