package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleDirectory;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleText;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.ProcessCatalogue;
import dev.sluice.settings.Setting;
import dev.sluice.settings.Settings;
import dev.sluice.testing.EnvoyConfig;
import dev.sluice.testing.SluiceProcess;
import dev.sluice.testing.YamlTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is shipped to deploy Sluice with says nothing that Sluice would not understand. */
final class DeployTest {
  private static final Path DEPLOY = SluiceProcess.PROJECT.resolve("deploy");
  private static final Path KUBERNETES = DEPLOY.resolve("kubernetes/sluice.yaml");
  private static final Path COMPOSE = DEPLOY.resolve("compose/compose.yaml");
  private static final Path DOCKERFILE = SluiceProcess.PROJECT.resolve("Dockerfile");

  @Test
  void everyFileIsYaml() throws IOException {
    try (Stream<Path> files = Files.walk(DEPLOY)) {
      assertThat(files.filter(file -> file.toString().endsWith(".yaml")))
          .contains(KUBERNETES, COMPOSE, EnvoyConfig.SHIPPED)
          .allSatisfy(file -> assertThat(YamlTree.documents(file)).isNotEmpty());
    }
  }

  @Test
  void rulesOfTheConfigMapAreGood() {
    List<RuleText> texts = new ArrayList<>();
    for (Map.Entry<?, ?> file : kubernetes("ConfigMap").at("data").map().entrySet()) {
      byte[] text = String.valueOf(file.getValue()).getBytes(StandardCharsets.UTF_8);
      texts.add(new RuleText.Read(String.valueOf(file.getKey()), ByteBuffer.wrap(text)));
    }
    assertThat(RuleFiles.read("sluice-rules", texts, RuleOptions.STRICT))
        .isInstanceOf(Loading.Loaded.class);
  }

  @Test
  void everyEnvironmentVariableIsASettingWithAGoodValue() throws IOException {
    Set<String> known = Catalogue.all().stream().map(Setting::name).collect(Collectors.toSet());
    for (Map<String, String> environment : List.of(inKubernetes(), inCompose(), inTheImage())) {
      assertThat(environment).isNotEmpty();
      assertThat(known).containsAll(environment.keySet());
      assertThat(Settings.of(environment)).isNotNull();
    }
  }

  @Test
  void rulesAreMountedWhereSluiceLooksForThem() throws IOException {
    String mounted = container().at("volumeMounts", 0, "mountPath").text();
    assertThat(rulesOf(inKubernetes())).isEqualTo(mounted);
    assertThat(container().at("volumeMounts", 0).map().containsKey("subPath")).isFalse();

    List<String> compose = List.of(sluiceInCompose().at("volumes", 0).text().split(":", -1));
    assertThat(rulesOf(inCompose())).isEqualTo(compose.get(1));
    assertThat(COMPOSE.resolveSibling(compose.get(0)).normalize())
        .isEqualTo(SluiceProcess.PROJECT.resolve("config"));

    assertThat(rulesOf(inTheImage())).isEqualTo(mounted);
  }

  @Test
  void portsAreThoseThatSluiceListensOn() throws IOException {
    Settings settings = Settings.of(inKubernetes());
    Map<String, Integer> ports =
        Map.of(
            "http", settings.get(Catalogue.PORT),
            "grpc", settings.get(Catalogue.GRPC_PORT),
            "metrics", settings.get(Catalogue.PROMETHEUS_ADDR).getPort());
    assertThat(numbers(container().at("ports"), "containerPort")).isEqualTo(ports);
    assertThat(numbers(kubernetes("Service").at("spec", "ports"), "port")).isEqualTo(ports);
    assertThat(container().at("readinessProbe", "grpc", "port").value())
        .isEqualTo(ports.get("grpc"));
    assertThat(container().at("livenessProbe", "tcpSocket", "port").text()).isEqualTo("http");
    assertThat(lines(DOCKERFILE, "EXPOSE (.*)")).containsExactly("8080 8081 9090");
  }

  @Test
  void podsGetMoreTimeToStopThanSluiceTakes() {
    Settings settings = Settings.of(inKubernetes());
    Duration longest =
        settings
            .get(ProcessCatalogue.DRAIN_DELAY)
            .plus(settings.get(ProcessCatalogue.DRAIN_TIMEOUT));
    String grace = pod().at("terminationGracePeriodSeconds").text();
    assertThat(Duration.ofSeconds(Long.parseLong(grace))).isGreaterThan(longest.plusSeconds(5));
  }

  @Test
  void podsMayDoNothingThatSluiceDoesNotNeed() {
    assertThat(pod().at("automountServiceAccountToken").value()).isEqualTo(false);
    assertThat(pod().at("securityContext", "runAsNonRoot").value()).isEqualTo(true);
    assertThat(container().at("securityContext", "readOnlyRootFilesystem").value()).isEqualTo(true);
    assertThat(container().at("securityContext", "allowPrivilegeEscalation").value())
        .isEqualTo(false);
    assertThat(container().at("securityContext", "capabilities", "drop").value())
        .isEqualTo(List.of("ALL"));
    String user = pod().at("securityContext", "runAsUser").text();
    assertThat(lines(DOCKERFILE, "USER (.*)")).containsExactly(user + ":" + user);
    assertThat(pod().at("volumes").items()).hasSize(1);
  }

  @Test
  void envoyNamesOnlyDomainsThatHaveRules() {
    Set<String> named = new TreeSet<>();
    YamlTree.documents(EnvoyConfig.SHIPPED)
        .get(0)
        .eachMap(
            map -> {
              if (map.get("domain") instanceof String domain) {
                named.add(domain);
              }
            });
    RuleDirectory directory = new RuleDirectory(SluiceProcess.PROJECT.resolve("config"));
    Loading loading = RuleFiles.read(directory.name(), directory.read(), RuleOptions.STRICT);
    assertThat(loading).isInstanceOf(Loading.Loaded.class);
    assertThat(((Loading.Loaded) loading).rules().domains()).containsAll(named);
    assertThat(named).isNotEmpty();
  }

  private static String rulesOf(Map<String, String> environment) {
    return RuleLocation.of(Settings.of(environment), Optional.empty()).name();
  }

  private static Map<String, String> inKubernetes() {
    return container().at("env").items().stream()
        .collect(Collectors.toMap(it -> it.at("name").text(), it -> it.at("value").text()));
  }

  private static Map<String, String> inCompose() {
    Map<String, String> environment = new HashMap<>();
    sluiceInCompose()
        .at("environment")
        .map()
        .forEach((name, value) -> environment.put(String.valueOf(name), String.valueOf(value)));
    return environment;
  }

  private static Map<String, String> inTheImage() {
    return lines(DOCKERFILE, "ENV (.*)").stream()
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
  }

  private static YamlTree sluiceInCompose() {
    return YamlTree.documents(COMPOSE).get(0).at("services", "sluice");
  }

  private static YamlTree container() {
    return pod().at("containers", 0);
  }

  private static YamlTree pod() {
    return kubernetes("Deployment").at("spec", "template", "spec");
  }

  private static YamlTree kubernetes(String kind) {
    return YamlTree.documents(KUBERNETES).stream()
        .filter(document -> document.at("kind").text().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Integer> numbers(YamlTree list, String key) {
    return list.items().stream()
        .collect(
            Collectors.toMap(it -> it.at("name").text(), it -> Integer.valueOf(it.at(key).text())));
  }

  /** The first group of every line of a file that looks like that. */
  private static List<String> lines(Path file, String pattern) {
    try {
      return Pattern.compile("(?m)^" + pattern + "$")
          .matcher(Files.readString(file))
          .results()
          .map(line -> line.group(1))
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
