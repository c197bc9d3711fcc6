package dev.sluice.cli;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.File;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Whom {@code sluice ask} asks, and how it gets there. */
final class AskTarget {
  private static final String UNIX = "unix:";
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\[([^\\[\\]]+)]|([^:\\[\\]]+)):(\\d{1,5})");

  @Parameters(
      arity = "0..1",
      paramLabel = "HOST:PORT",
      description = "The server's gRPC port, or unix:FILE; default: localhost:8081.")
  private @Nullable String address;

  @Option(
      names = {"-dial_string", "--dial_string"},
      hidden = true)
  private @Nullable String dialString;

  @Option(
      names = {"--tls", "-grpc-use-tls", "--grpc-use-tls"},
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "true|false",
      description = "Speak TLS; goes without saying if one of the files below is given.")
  private boolean tls;

  @Option(
      names = {"--ca", "-grpc-server-ca-file", "--grpc-server-ca-file"},
      paramLabel = "FILE",
      description = "PEM file: who vouches for the server; default: whom Java trusts.")
  private @Nullable File authority;

  @Option(
      names = {"--cert", "-grpc-cert-file", "--grpc-cert-file"},
      paramLabel = "FILE",
      description = "PEM file with a certificate of our own.")
  private @Nullable File certificate;

  @Option(
      names = {"--key", "-grpc-key-file", "--grpc-key-file"},
      paramLabel = "FILE",
      description = "PEM file with its private key (PKCS #8).")
  private @Nullable File key;

  /** A channel, not connected yet; whoever asks for it closes it. */
  ManagedChannel connect(CommandLine line) {
    if (address != null && dialString != null) {
      throw new ParameterException(
          line, "HOST:PORT and -dial_string are both given (expected one of them)");
    }
    String where = address != null ? address : dialString != null ? dialString : "localhost:8081";
    ChannelCredentials credentials = credentials(line);
    if (where.startsWith(UNIX)) {
      return Grpc.newChannelBuilder(where, credentials).overrideAuthority("localhost").build();
    }
    Matcher parts = ADDRESS.matcher(where);
    if (!parts.matches() || Integer.parseInt(parts.group(3)) > 65_535) {
      throw new ParameterException(
          line, String.format("HOST:PORT is '%s' (expected such as localhost:8081)", where));
    }
    String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
    return Grpc.newChannelBuilderForAddress(host, Integer.parseInt(parts.group(3)), credentials)
        .build();
  }

  private ChannelCredentials credentials(CommandLine line) {
    if ((certificate == null) != (key == null)) {
      throw new ParameterException(line, "--cert and --key go together (expected both)");
    }
    if (!tls && authority == null && certificate == null) {
      return InsecureChannelCredentials.create();
    }
    TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
    try {
      if (authority != null) {
        builder.trustManager(authority);
      }
      if (certificate != null && key != null) {
        builder.keyManager(certificate, key);
      }
      return builder.build();
    } catch (IOException e) {
      throw new ParameterException(line, "a file of TLS cannot be read: " + e.getMessage());
    }
  }
}
