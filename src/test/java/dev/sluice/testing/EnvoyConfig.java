package dev.sluice.testing;

import java.nio.file.Path;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** The Envoy configuration that the project ships, with the addresses of a test in it. */
public final class EnvoyConfig {
  /** The file. */
  public static final Path SHIPPED = SluiceProcess.PROJECT.resolve("deploy/envoy/envoy.yaml");

  private EnvoyConfig() {}

  /** The text of it, with free ports of the loopback address, and these ports instead of names. */
  public static String shipped(int sluicePort, int upstreamPort) {
    YamlTree tree = YamlTree.documents(SHIPPED).get(0);
    Map<String, Integer> ports = Map.of("sluice", sluicePort, "upstream", upstreamPort);
    tree.eachMap(map -> readdress(map, ports));
    return new Yaml().dump(tree.value());
  }

  private static void readdress(Map<?, ?> map, Map<String, Integer> ports) {
    if (map.get("socket_address") instanceof Map<?, ?> address) {
      @SuppressWarnings("unchecked")
      Map<String, Object> changed = (Map<String, Object>) address;
      int port = ports.getOrDefault(String.valueOf(changed.get("address")), 0);
      changed.put("address", "127.0.0.1");
      changed.put("port_value", port);
    }
  }
}
