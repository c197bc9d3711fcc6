package dev.sluice.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ValueHashTest {
  /** Computed with another library: replicas of two versions have to agree. */
  @Test
  void aHashIsTheSameInEveryVersion() {
    assertThat(ValueHash.PLAIN.of("api", "token", "Bearer-s3cr3t"))
        .isEqualTo("#85HkmyW52aDggN2ekwlTEZZDnQk");
    assertThat(ValueHash.with("pepper").of("api", "token", "Bearer-s3cr3t"))
        .isEqualTo("#q_HyMjLnMTeGvKyIikEjuwjMaCg");
  }

  @Test
  void anEmptySecretIsNone() {
    assertThat(ValueHash.with("").of("d", "k", "v")).isEqualTo(ValueHash.PLAIN.of("d", "k", "v"));
  }

  @Test
  void hashesDifferByEveryPartAndBySecret() {
    ValueHash hash = ValueHash.with("one");

    assertThat(
            new String[] {
              hash.of("d", "k", "v"),
              hash.of("d", "k", "w"),
              hash.of("d", "l", "v"),
              hash.of("e", "k", "v"),
              hash.of("dk", "", "v"),
              hash.of("d", "kv", "v"),
              ValueHash.with("other").of("d", "k", "v"),
              ValueHash.PLAIN.of("d", "k", "v")
            })
        .doesNotHaveDuplicates()
        .allMatch(told -> told.matches("#[A-Za-z0-9_-]{27}"));
  }

  @Test
  void anEmptyValueHidesNothing() {
    assertThat(ValueHash.PLAIN.of("d", "k", "")).isEmpty();
  }

  @Test
  void oneHashServesManyThreads() {
    ValueHash hash = ValueHash.with("secret");
    String expected = hash.of("d", "k", "v");

    assertThat(IntStream.range(0, 10_000).parallel().mapToObj(i -> hash.of("d", "k", "v")))
        .containsOnly(expected);
  }
}
