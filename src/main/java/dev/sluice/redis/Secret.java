package dev.sluice.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What a server is told to be let in: {@code password} or {@code user:password}.
 *
 * <p>A file is read for each connection that is made, so what is in it may change. As text it is
 * empty, so that it comes into no log.
 *
 * @param text the secret, or empty for none
 * @param file where it is instead, if anywhere
 */
public record Secret(String text, Optional<Path> file) {
  /** Nothing. */
  public static final Secret NONE = new Secret("", Optional.empty());

  /** A secret that does not change. */
  public static Secret of(String text) {
    return new Secret(text, Optional.empty());
  }

  @Override
  public String toString() {
    return "";
  }

  /** This, or what stands in a URL where this is nothing. */
  Secret orIn(URI url) {
    return text.isEmpty() && file.isEmpty()
        ? of(Objects.requireNonNullElse(url.getUserInfo(), ""))
        : this;
  }

  boolean isNone() {
    return text.isEmpty() && file.isEmpty();
  }

  /**
   * Tells it to Lettuce.
   *
   * @param elsewhere where files may be read, which may block
   */
  RedisCredentialsProvider provider(Executor elsewhere) {
    if (file.isEmpty()) {
      RedisCredentials always = credentials(text);
      return (ImmediateRedisCredentialsProvider) () -> always;
    }
    Path path = file.get();
    return () ->
        Mono.fromFuture(
            () -> CompletableFuture.supplyAsync(() -> credentials(read(path)), elsewhere));
  }

  private static String read(Path path) {
    try {
      return Files.readString(path).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("the file of the password cannot be read: " + e, e);
    }
  }

  private static RedisCredentials credentials(String secret) {
    int colon = secret.indexOf(':');
    @Nullable String user = colon > 0 ? secret.substring(0, colon) : null;
    String password = secret.substring(colon + 1);
    return RedisCredentials.just(user, password.isEmpty() ? null : password.toCharArray());
  }
}
