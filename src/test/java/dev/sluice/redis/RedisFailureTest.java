package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketStoreException.Reason;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.internal.ExceptionFactory;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made of what Redis says. The texts are those of Redis 7.0.15 and of 6.2.11. */
class RedisFailureTest {
  private static final String SCRIPT = "872bc6701b4ac00ebb820e81652ffe2b4bc16f1b";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LOADING       | LOADING Redis is loading the dataset in memory",
        "BUSY          | BUSY Redis is busy running a script. You can only call SCRIPT KILL or"
            + " SHUTDOWN NOSAVE.",
        "MASTER_DOWN   | MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set"
            + " to 'no'.",
        "CLUSTER_DOWN  | CLUSTERDOWN Hash slot not served",
        "NO_ACCESS     | NOAUTH Authentication required.",
        "NO_ACCESS     | WRONGPASS invalid username-password pair or user is disabled.",
        "NO_ACCESS     | NOPERM this user has no permissions to run the 'evalsha' command",
        "NO_ACCESS     | NOPERM this user has no permissions to run the 'evalsha' command or its"
            + " subcommand",
        "NO_ACCESS     | NOPERM this user has no permissions to access one of the keys used as"
            + " arguments",
        "ERROR         | ERR unknown command 'EVALSHA', with args beginning with:",
      })
  void anErrorThatRefusesTheCallIsKnownByItsCode(Reason reason, String text) {
    assertThat(reason(text)).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "READ_ONLY     | READONLY You can't write against a read only replica.",
        "OUT_OF_MEMORY | OOM command not allowed when used memory > 'maxmemory'.",
        "MISCONFIGURED | NOREPLICAS Not enough good replicas to write.",
        "MISCONFIGURED | MISCONF Redis is configured to save RDB snapshots, but it's currently"
            + " unable to persist to disk. Commands that may modify the data set are disabled,"
            + " because this instance is configured to report errors during writes if RDB"
            + " snapshotting fails (stop-writes-on-bgsave-error option). Please check the Redis"
            + " logs for details about the RDB error.",
      })
  void anErrorOfACommandInAScriptIsKnownByItsCodeWhereverThatStands(Reason reason, String text) {
    assertThat(reason(text + " script: " + SCRIPT + ", on @user_script:205.")).isEqualTo(reason);
    assertThat(
            reason(
                "ERR Error running script (call to f_"
                    + SCRIPT
                    + "): @user_script:205: @user_script: 205: -"
                    + text))
        .isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ERR The user executing the script can't run this command or subcommand script: 872bc670,"
            + " on @user_script:1.",
        "ERR Error running script (call to f_872bc670): @user_script:1: @user_script: 1: The user"
            + " executing the script can't run this command or subcommand",
      })
  void aCommandThatAScriptMayNotCallIsAMatterOfAccessAlthoughItHasNoCode(String text) {
    assertThat(reason(text)).isEqualTo(Reason.NO_ACCESS);
  }

  @Test
  void aCodeInsideAWordOfAnErrorIsNone() {
    assertThat(reason("ERR the key is called OOM")).isEqualTo(Reason.ERROR);
    assertThat(reason("ERR user_script:8: UNLOADING is not a field")).isEqualTo(Reason.ERROR);
  }

  @Test
  void whatComesFromTheConnectionIsNoAnswer() {
    assertThat(RedisFailure.of(new IOException("Connection reset by peer")).reason())
        .isEqualTo(Reason.UNREACHABLE);
    assertThat(RedisFailure.of(new RedisConnectionException("Unable to connect")).reason())
        .isEqualTo(Reason.UNREACHABLE);
    assertThat(RedisFailure.of(new CompletionException(new CancellationException())).reason())
        .isEqualTo(Reason.UNREACHABLE);
    assertThat(
            RedisFailure.of(new RedisException("Request queue size exceeded: 4096. Commands are"))
                .reason())
        .isEqualTo(Reason.QUEUE_FULL);
    assertThat(RedisFailure.of(new IllegalStateException("ours")).reason()).isEqualTo(Reason.ERROR);
  }

  /** What is made of an error by way of what Lettuce makes of it. */
  private static Reason reason(String text) {
    return RedisFailure.of(ExceptionFactory.createExecutionException(text)).reason();
  }
}
