package dev.sluice.tracing;

import io.grpc.Metadata;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads what propagators look for in the metadata of a call. Binary values are none of theirs, and
 * are left alone. Thread-safe.
 */
final class MetadataGetter implements TextMapGetter<Metadata> {
  static final MetadataGetter INSTANCE = new MetadataGetter();

  /** As many as there are names that propagators ask for. */
  private final Map<String, Metadata.Key<String>> keys = new ConcurrentHashMap<>();

  private MetadataGetter() {}

  @Override
  public @Nullable String get(@Nullable Metadata metadata, String name) {
    if (metadata == null || name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
      return null;
    }
    return metadata.get(
        keys.computeIfAbsent(name, it -> Metadata.Key.of(it, Metadata.ASCII_STRING_MARSHALLER)));
  }
}
