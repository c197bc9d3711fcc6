package dev.sluice.envoy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Random;

/** Messages of any type with anything in their fields that the wire can carry. */
final class RandomMessages {
  private static final int DEEPEST = 4;
  private static final int MOST_REPEATED = 4;
  private static final int ANY_ENUM = 12;
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "key",
          "value",
          "a=b,c|d",
          "{tag}",
          "*",
          "%00",
          "\u0000",
          "\r\n",
          "\u202e\u200f",
          "\ufeff",
          "\uffff",
          "e\u0301",
          "ключ",
          "鍵",
          "🛶🏴‍☠️",
          "x".repeat(300));
  private static final List<Long> NUMBERS =
      List.of(
          0L, 1L, 2L, 7L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 0xFFFF_FFFFL, 1L << 31, 1L << 53);

  private final Random random;

  RandomMessages(Random random) {
    this.random = random;
  }

  /** Fills a message of the type that this one has. */
  Message like(Message type) {
    Message.Builder builder = type.newBuilderForType();
    fill(builder, 0);
    return builder.build();
  }

  private void fill(Message.Builder into, int depth) {
    for (FieldDescriptor field : into.getDescriptorForType().getFields()) {
      boolean message = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
      if (random.nextInt(4) == 0 || (message && depth == DEEPEST)) {
        continue;
      }
      if (!field.isRepeated()) {
        into.setField(field, value(into, field, depth));
        continue;
      }
      int count = random.nextInt(MOST_REPEATED);
      for (int i = 0; i < count; i++) {
        into.addRepeatedField(field, value(into, field, depth));
      }
    }
  }

  private Object value(Message.Builder parent, FieldDescriptor field, int depth) {
    return switch (field.getJavaType()) {
      case BOOLEAN -> random.nextBoolean();
      case INT -> (int) number();
      case LONG -> number();
      case FLOAT -> random.nextFloat();
      case DOUBLE -> random.nextDouble();
      case STRING -> text();
      case BYTE_STRING -> ByteString.copyFromUtf8(text());
      case ENUM -> enumValue(field.getEnumType());
      case MESSAGE -> {
        Message.Builder below = parent.newBuilderForField(field);
        fill(below, depth + 1);
        yield below.build();
      }
    };
  }

  private Object enumValue(EnumDescriptor type) {
    return type.findValueByNumberCreatingIfUnknown(random.nextInt(ANY_ENUM));
  }

  private long number() {
    return random.nextBoolean()
        ? NUMBERS.get(random.nextInt(NUMBERS.size()))
        : random.nextLong() >>> random.nextInt(64);
  }

  private String text() {
    String text = TEXTS.get(random.nextInt(TEXTS.size()));
    return random.nextInt(3) == 0 ? text + TEXTS.get(random.nextInt(TEXTS.size())) : text;
  }
}
