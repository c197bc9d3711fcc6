package dev.sluice.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Where a Redis is, and how to be let in.
 *
 * <p>As text it is only the place, so that a password comes into no log.
 *
 * @param topology its servers
 * @param secret what they are told, instead of what is in their URLs; or nothing
 * @param tls whether and how to speak TLS
 * @param timeout of an attempt to connect
 */
public record RedisAddress(Topology topology, Secret secret, Tls tls, Duration timeout) {
  private static final int PORT = 6379;

  /**
   * How to speak TLS.
   *
   * @param always whatever the scheme is
   * @param authority PEM file of who vouches for Redis; empty: who Java trusts
   * @param certificate what Redis is shown, if anything
   * @param anyName whether the certificate of Redis may be for another name
   */
  public record Tls(
      boolean always,
      Optional<Path> authority,
      Optional<Certificate> certificate,
      boolean anyName) {
    /** With rediss only, as Java does it. */
    public static final Tls STANDARD = new Tls(false, Optional.empty(), Optional.empty(), false);
  }

  /**
   * What this side is known by.
   *
   * @param chain PEM file
   * @param key PEM file, in PKCS#8
   */
  public record Certificate(Path chain, Path key) {}

  @Override
  public String toString() {
    return topology.toString();
  }

  /**
   * The one place to connect to: a server, or the primary that sentinels name.
   *
   * @param elsewhere where files may be read
   */
  RedisURI uri(Executor elsewhere) {
    if (!(topology instanceof Topology.Sentinel sentinel)) {
      return uri(topology.servers().get(0), secret, elsewhere);
    }
    RedisURI primary = new RedisURI();
    primary.setSentinelMasterId(sentinel.primary());
    for (URI server : sentinel.servers()) {
      primary.getSentinels().add(uri(server, sentinel.secret(), elsewhere));
    }
    if (!secret.isNone()) {
      primary.setCredentialsProvider(secret.provider(elsewhere));
    }
    return common(primary);
  }

  /** The nodes of a cluster that are named. What lets us into one of them does into all. */
  List<RedisURI> nodes(Executor elsewhere) {
    Secret theirs =
        topology.servers().stream()
            .map(secret::orIn)
            .filter(it -> !it.isNone())
            .findFirst()
            .orElse(Secret.NONE);
    return topology.servers().stream().map(server -> uri(server, theirs, elsewhere)).toList();
  }

  private RedisURI uri(URI server, Secret told, Executor elsewhere) {
    RedisURI uri = new RedisURI();
    if (isSocket(server)) {
      uri.setSocket(server.getPath());
    } else {
      uri.setHost(host(server));
      uri.setPort(port(server));
      if (server.getPath().length() > 1) {
        uri.setDatabase(Integer.parseInt(server.getPath().substring(1)));
      }
    }
    Secret best = told.orIn(server);
    if (!best.isNone()) {
      uri.setCredentialsProvider(best.provider(elsewhere));
    }
    return common(uri);
  }

  private RedisURI common(RedisURI uri) {
    if (isTls()) {
      uri.setSsl(true);
      uri.setVerifyPeer(tls.anyName ? SslVerifyMode.CA : SslVerifyMode.FULL);
    }
    uri.setTimeout(timeout);
    uri.setClientName("sluice");
    return uri;
  }

  /**
   * The way to speak TLS.
   *
   * @throws IllegalArgumentException if a file is not what it should be
   */
  SslOptions sslOptions() {
    SslOptions.Builder options = SslOptions.builder().jdkSslProvider();
    if (!isTls()) {
      return options.build();
    }
    tls.authority.ifPresent(it -> options.trustManager(readable("REDIS_TLS_CACERT", it)));
    tls.certificate.ifPresent(
        it ->
            options.keyManager(
                readable("REDIS_TLS_CLIENT_CERT", it.chain),
                readable("REDIS_TLS_CLIENT_KEY", it.key),
                new char[0]));
    return tried(options.build());
  }

  private static File readable(String name, Path file) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException(
          String.format("%s is '%s' (expected a file that can be read)", name, file));
    }
    return file.toFile();
  }

  /** Files are read with each connection, so a mistake in them would be seen late. */
  private static SslOptions tried(SslOptions options) {
    try {
      var unused = options.createSslContextBuilder().build();
      return options;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new IllegalArgumentException(
          "the files of REDIS_TLS_CACERT, REDIS_TLS_CLIENT_CERT and REDIS_TLS_CLIENT_KEY are not"
              + " good together (expected PEM, the key in PKCS#8): "
              + e.getMessage(),
          e);
    }
  }

  private boolean isTls() {
    List<URI> servers = topology.servers();
    return servers.stream().noneMatch(RedisAddress::isSocket)
        && (tls.always || servers.stream().anyMatch(it -> it.getScheme().equals("rediss")));
  }

  private static boolean isSocket(URI server) {
    return server.getScheme().equals("unix");
  }

  /** Without the brackets that an IPv6 address has in a URL. */
  private static String host(URI server) {
    return server.getHost().replaceAll("[\\[\\]]", "");
  }

  static int port(URI server) {
    return server.getPort() < 0 ? PORT : server.getPort();
  }
}
