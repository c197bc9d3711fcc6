package dev.sluice.xds;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.rpc.Code;
import dev.sluice.proto.core.Node;
import dev.sluice.proto.discovery.AggregatedDiscoveryServiceGrpc;
import dev.sluice.proto.discovery.DiscoveryRequest;
import dev.sluice.proto.discovery.DiscoveryResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One stream to a control plane, over a channel of its own. What was accepted on streams before is
 * not told: versions may begin anew where a control plane does, and two that are equal by chance
 * would mean that nothing has to be sent. Used and called back by one thread at a time.
 */
final class RuleStream implements ClientResponseObserver<DiscoveryRequest, DiscoveryResponse> {
  private static final String AGENT = "sluice";

  private final ManagedChannel channel;
  private final Listener listener;
  private @Nullable ClientCallStreamObserver<DiscoveryRequest> requests;
  private Runnable afterwards = () -> {};
  private String acceptedVersion = "";

  /** Is told what comes. */
  interface Listener {
    /** The control plane has been reached. */
    void connected();

    /** A response came. */
    void received(DiscoveryResponse response);

    /** It is over; nothing comes any more. */
    void ended(Status status);
  }

  /** A stream that is being opened on a channel, which it owns. */
  RuleStream(ManagedChannel channel, ControlPlane.Self self, Listener listener) {
    this.channel = channel;
    this.listener = listener;
    var unused = AggregatedDiscoveryServiceGrpc.newStub(channel).streamAggregatedResources(this);
    send(DiscoveryRequest.newBuilder().setNode(node(self)));
  }

  private static Node node(ControlPlane.Self self) {
    Struct.Builder metadata = Struct.newBuilder();
    self.metadata()
        .forEach(
            (name, value) ->
                metadata.putFields(name, Value.newBuilder().setStringValue(value).build()));
    return Node.newBuilder()
        .setId(self.node())
        .setMetadata(metadata)
        .setUserAgentName(AGENT)
        .build();
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<DiscoveryRequest> stream) {
    requests = stream;
    stream.setOnReadyHandler(listener::connected);
  }

  @Override
  public void onNext(DiscoveryResponse response) {
    listener.received(response);
  }

  @Override
  public void onError(Throwable error) {
    end(Status.fromThrowable(error));
  }

  @Override
  public void onCompleted() {
    end(Status.UNAVAILABLE.withDescription("the control plane ended the stream"));
  }

  private void end(Status status) {
    if (requests == null) {
      afterwards.run();
      return;
    }
    requests = null;
    channel.shutdownNow();
    listener.ended(status);
  }

  /** Answers a response. */
  void answer(DiscoveryResponse response, Optional<String> fault) {
    DiscoveryRequest.Builder request =
        DiscoveryRequest.newBuilder().setResponseNonce(response.getNonce());
    if (fault.isPresent()) {
      request.setErrorDetail(
          com.google.rpc.Status.newBuilder()
              .setCode(Code.INVALID_ARGUMENT_VALUE)
              .setMessage(fault.get()));
    } else {
      acceptedVersion = response.getVersionInfo();
    }
    send(request);
  }

  private void send(DiscoveryRequest.Builder request) {
    if (requests != null) {
      requests.onNext(request.setTypeUrl(Resources.TYPE).setVersionInfo(acceptedVersion).build());
    }
  }

  /** Gives the stream up; its listener is told nothing more. */
  void cancel(Runnable afterwards) {
    requests = null;
    this.afterwards = afterwards;
    channel.shutdownNow();
  }
}
