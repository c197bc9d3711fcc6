package dev.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The Envoy configuration that the project ships, with the addresses of a test in it. */
public final class EnvoyConfig {
  /** The file. */
  public static final Path SHIPPED = SluiceProcess.PROJECT.resolve("deploy/envoy/envoy.yaml");

  private EnvoyConfig() {}

  /** The text of it, with free ports of the loopback address, and these ports instead of names. */
  public static String shipped(int sluicePort, int upstreamPort) {
    Object tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(read());
    visit(tree, Map.of("sluice", sluicePort, "upstream", upstreamPort));
    return new Yaml().dump(tree);
  }

  private static void visit(Object node, Map<String, Integer> ports) {
    if (node instanceof Collection<?> list) {
      list.forEach(item -> visit(item, ports));
    } else if (node instanceof Map<?, ?> map) {
      if (map.get("socket_address") instanceof Map<?, ?> address) {
        @SuppressWarnings("unchecked")
        Map<String, Object> changed = (Map<String, Object>) address;
        int port = ports.getOrDefault(String.valueOf(changed.get("address")), 0);
        changed.put("address", "127.0.0.1");
        changed.put("port_value", port);
      }
      map.values().forEach(item -> visit(item, ports));
    }
  }

  private static String read() {
    try {
      return Files.readString(SHIPPED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
