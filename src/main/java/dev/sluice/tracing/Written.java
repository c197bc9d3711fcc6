package dev.sluice.tracing;

import io.grpc.MethodDescriptor;
import io.opentelemetry.sdk.common.export.MessageWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A message that writes itself. Thread-safe. */
final class Written implements MethodDescriptor.Marshaller<MessageWriter> {
  @Override
  public InputStream stream(MessageWriter message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(message.getContentLength());
    try {
      message.writeMessage(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ByteArrayInputStream(bytes.toByteArray());
  }

  @Override
  public MessageWriter parse(InputStream stream) {
    throw new UnsupportedOperationException("it is only sent");
  }
}
