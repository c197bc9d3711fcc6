package dev.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bucket.BucketKey;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptArgumentsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 9, 10, 11, 99, 100, 1_234})
  void theyAreWrittenAsLettuceWritesItsOwn(int keys) {
    List<BucketKey> names = new ArrayList<>();
    CommandArgs<String, String> own =
        new CommandArgs<>(StringCodec.ASCII).add("0123456789abcdef").add(keys);
    for (int i = 0; i < keys; i++) {
      String name = "edge|key=" + "x".repeat(i % 90);
      names.add(new BucketKey(name));
      own.addKey("rl:" + name);
    }
    byte[] argument = new byte[keys * 7];
    argument[3] = (byte) 0xFF;
    own.add(argument);
    ScriptArguments ours =
        new ScriptArguments(
            "0123456789abcdef", "rl:".getBytes(StandardCharsets.US_ASCII), names, argument);
    assertThat(ours.count()).isEqualTo(own.count());
    assertThat(written(ours)).isEqualTo(written(own));
    assertThat(ours.getFirstEncodedKey()).isEqualTo(own.getFirstEncodedKey());
  }

  private static byte[] written(CommandArgs<String, String> arguments) {
    ByteBuf buffer = Unpooled.buffer();
    arguments.encode(buffer);
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    return bytes;
  }
}
