package dev.sluice.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
  private final LoggerContext context = new LoggerContext();

  @Test
  void anEventIsOneObjectOnOneLineWithTheFieldsOfTheReference() {
    String line = line(Level.WARN, "two\nlines, {} and \"quotes\"", null, 7);

    assertThat(line)
        .isEqualTo(
            "{\"@message\":\"two\\nlines, 7 and \\\"quotes\\\"\","
                + "\"@timestamp\":\"2031-01-02T03:04:05.000000678Z\","
                + "\"level\":\"warning\",\"logger\":\"dev.sluice.Thing\"}\n");
  }

  @Test
  void whatWasThrownComesWithItsTrace() {
    JsonObject event =
        parsed(line(Level.ERROR, "oh", new IllegalStateException("why\u2028this"), 0));

    assertThat(event.get("level").getAsString()).isEqualTo("error");
    assertThat(event.get("exception").getAsString())
        .startsWith("java.lang.IllegalStateException: why\u2028this")
        .contains("at dev.sluice.log.JsonLinesTest.");
  }

  @Test
  void anyTextIsReadBackAsItWas() {
    StringBuilder text = new StringBuilder("é€😀");
    for (char character = 0; character < 0x100; character++) {
      text.append(character);
    }
    text.append("\u2028\u2029").append((char) 0xd800).append("\\u0041");
    String line = line(Level.DEBUG, text.toString(), null, 0);

    assertThat(line.chars().filter(it -> it < ' ')).containsExactly((int) '\n');
    assertThat(parsed(line).get("@message").getAsString()).isEqualTo(text.toString());
  }

  private String line(Level level, String message, @Nullable Throwable thrown, int given) {
    LoggingEvent event =
        new LoggingEvent(
            "test",
            context.getLogger("dev.sluice.Thing"),
            level,
            message,
            thrown,
            new Object[] {given});
    event.setInstant(Instant.parse("2031-01-02T03:04:05.000000678Z"));
    return new String(new JsonLines().encode(event), UTF_8);
  }

  private static JsonObject parsed(String line) {
    return JsonParser.parseString(line).getAsJsonObject();
  }
}
