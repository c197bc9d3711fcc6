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
import java.util.Optional;

/**
 * Where a Redis is, and how to be let in.
 *
 * <p>As text it is only the place, so that a password comes into no log.
 *
 * @param url whose scheme is redis, rediss or unix
 * @param auth {@code password} or {@code user:password}, instead of those in the URL; or empty
 * @param tls whether and how to speak TLS
 * @param timeout of an attempt to connect
 */
public record RedisAddress(URI url, String auth, Tls tls, Duration timeout) {
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
    return isSocket() ? url.getPath() : url.getHost() + ":" + port();
  }

  RedisURI uri() {
    RedisURI.Builder uri =
        isSocket()
            ? RedisURI.Builder.socket(url.getPath())
            : RedisURI.Builder.redis(host(), port()).withSsl(isTls());
    if (isTls()) {
      uri.withVerifyPeer(tls.anyName ? SslVerifyMode.CA : SslVerifyMode.FULL);
    }
    String path = url.getPath();
    if (!isSocket() && path.length() > 1) {
      uri.withDatabase(Integer.parseInt(path.substring(1)));
    }
    letIn(uri, auth.isEmpty() ? Optional.ofNullable(url.getUserInfo()).orElse("") : auth);
    return uri.withTimeout(timeout).withClientName("sluice").build();
  }

  private static void letIn(RedisURI.Builder uri, String secret) {
    int colon = secret.indexOf(':');
    char[] password = secret.substring(colon + 1).toCharArray();
    if (colon > 0) {
      uri.withAuthentication(secret.substring(0, colon), password);
    } else if (password.length > 0) {
      uri.withPassword(password);
    }
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

  private boolean isSocket() {
    return url.getScheme().equals("unix");
  }

  private boolean isTls() {
    return tls.always || url.getScheme().equals("rediss");
  }

  /** Without the brackets that an IPv6 address has in a URL. */
  private String host() {
    return url.getHost().replaceAll("[\\[\\]]", "");
  }

  private int port() {
    return url.getPort() < 0 ? PORT : url.getPort();
  }
}
