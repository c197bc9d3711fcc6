package dev.sluice.envoy;

import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.util.List;

/**
 * What tells tools which calls there are, under its name of today and under the one that tools from
 * before 2023 ask for. Both speak the same bytes.
 */
final class Reflection {
  static final String OLD_NAME = "grpc.reflection.v1alpha.ServerReflection";

  private Reflection() {}

  static List<ServerServiceDefinition> services() {
    ServerServiceDefinition today = ProtoReflectionServiceV1.newInstance().bindService();
    ServerServiceDefinition.Builder old = ServerServiceDefinition.builder(OLD_NAME);
    today.getMethods().forEach(method -> addUnderOldName(method, old));
    return List.of(today, old.build());
  }

  private static <Q, A> void addUnderOldName(
      ServerMethodDefinition<Q, A> method, ServerServiceDefinition.Builder into) {
    MethodDescriptor<Q, A> today = method.getMethodDescriptor();
    String name =
        MethodDescriptor.generateFullMethodName(
            OLD_NAME, String.valueOf(today.getBareMethodName()));
    into.addMethod(
        today.toBuilder().setFullMethodName(name).build(), method.getServerCallHandler());
  }
}
