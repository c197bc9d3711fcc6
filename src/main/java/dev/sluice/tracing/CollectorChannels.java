package dev.sluice.tracing;

import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcSenderProvider;

/** Lets OpenTelemetry's exporter speak gRPC by grpc-java. It is found by ServiceLoader. */
public final class CollectorChannels implements GrpcSenderProvider {
  /** For ServiceLoader. */
  public CollectorChannels() {}

  @Override
  public GrpcSender createSender(GrpcSenderConfig config) {
    return new CollectorChannel(config);
  }
}
