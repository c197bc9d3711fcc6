package dev.sluice;

import dev.sluice.envoy.GrpcServer;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Setting;
import dev.sluice.settings.SettingException;
import dev.sluice.settings.Settings;
import dev.sluice.tls.PemFile;
import dev.sluice.tls.ServerTls;
import dev.sluice.transport.UnixSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/** What the settings say of where the gRPC port listens, and whom it speaks to how. */
final class GrpcPort implements AutoCloseable {
  private final Settings settings;
  private final Optional<ServerTls> tls;

  /**
   * Reads the files that TLS needs.
   *
   * @throws RuntimeException naming the setting, if one cannot be used
   */
  GrpcPort(Settings settings) {
    this.settings = settings;
    tls = settings.get(Catalogue.GRPC_SERVER_USE_TLS) ? Optional.of(tls()) : Optional.empty();
    if (tls.isEmpty() && settings.isSet(Catalogue.GRPC_CLIENT_TLS_CACERT)) {
      throw needs(Catalogue.GRPC_CLIENT_TLS_CACERT, "GRPC_SERVER_USE_TLS=true");
    }
  }

  /**
   * Where to listen. What a killed process left there is removed.
   *
   * @throws IOException if somebody else is there
   */
  GrpcServer.Listener listener() throws IOException {
    if (isFile()) {
      UnixSocket.clear(file());
    }
    return new GrpcServer.Listener(address(), tls);
  }

  SocketAddress address() {
    return isFile()
        ? UnixSocket.address(file())
        : new InetSocketAddress(
            settings.get(Catalogue.GRPC_HOST), settings.get(Catalogue.GRPC_PORT));
  }

  /** The setting that chooses the address. */
  Setting<?> setting() {
    return isFile() ? Catalogue.GRPC_UDS : Catalogue.GRPC_PORT;
  }

  boolean isFile() {
    return settings.isSet(Catalogue.GRPC_UDS);
  }

  private Path file() {
    return Path.of(settings.get(Catalogue.GRPC_UDS)).toAbsolutePath();
  }

  private ServerTls tls() {
    return new ServerTls(
        pem(Catalogue.GRPC_SERVER_TLS_CERT), pem(Catalogue.GRPC_SERVER_TLS_KEY), clients());
  }

  private Optional<ServerTls.Clients> clients() {
    boolean named = settings.isSet(Catalogue.GRPC_CLIENT_TLS_SAN);
    if (!settings.isSet(Catalogue.GRPC_CLIENT_TLS_CACERT)) {
      if (named) {
        throw needs(Catalogue.GRPC_CLIENT_TLS_SAN, "GRPC_CLIENT_TLS_CACERT");
      }
      return Optional.empty();
    }
    Optional<String> name =
        named ? Optional.of(settings.get(Catalogue.GRPC_CLIENT_TLS_SAN)) : Optional.empty();
    return Optional.of(new ServerTls.Clients(pem(Catalogue.GRPC_CLIENT_TLS_CACERT), name));
  }

  private PemFile pem(Setting<String> setting) {
    if (!settings.isSet(setting)) {
      throw new SettingException(
          setting.name() + " is not set (expected a PEM file, since GRPC_SERVER_USE_TLS is true)");
    }
    return new PemFile(setting.name(), Path.of(settings.get(setting)));
  }

  private SettingException needs(Setting<String> setting, String other) {
    return new SettingException(
        String.format(
            "%s is '%s' (expected %s as well, or clients are not checked)",
            setting.name(), settings.get(setting), other));
  }

  @Override
  public void close() {
    tls.ifPresent(ServerTls::close);
  }
}
