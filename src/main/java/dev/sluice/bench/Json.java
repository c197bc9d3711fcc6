package dev.sluice.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a benchmark found, as JSON: an object for each part, with one for each scenario. */
final class Json {
  private static final int DECIMALS = 4;
  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

  private Json() {}

  static String of(List<Figures> parts) {
    Map<String, Map<String, Map<String, BigDecimal>>> found = new LinkedHashMap<>();
    for (Figures part : parts) {
      Map<String, Map<String, BigDecimal>> rows = new LinkedHashMap<>();
      part.rows().forEach(row -> rows.put(row.name(), known(row)));
      found.put(part.name(), rows);
    }
    return GSON.toJson(found);
  }

  private static Map<String, BigDecimal> known(Figures.Row row) {
    Map<String, BigDecimal> known = new LinkedHashMap<>();
    row.figures()
        .forEach(
            (name, figure) -> {
              if (Double.isFinite(figure)) {
                known.put(
                    name, BigDecimal.valueOf(figure).setScale(DECIMALS, RoundingMode.HALF_UP));
              }
            });
    return known;
  }
}
