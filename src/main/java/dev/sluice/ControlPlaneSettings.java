package dev.sluice;

import dev.sluice.settings.ControlPlaneCatalogue;
import dev.sluice.settings.Setting;
import dev.sluice.settings.SettingException;
import dev.sluice.settings.Settings;
import dev.sluice.tls.ClientTls;
import dev.sluice.tls.PemFile;
import dev.sluice.xds.ControlPlane;
import dev.sluice.xds.Waits;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Which control plane the settings name, and how it is asked. */
final class ControlPlaneSettings {
  private static final double HALF = 0.5;
  private static final Pattern ANY_NAME = Pattern.compile(".+");

  /** A header of gRPC whose value is text. */
  private static final Pattern HEADER_NAME = Pattern.compile("(?!grpc-)(?!.*-bin$)[0-9a-z_.-]+");

  private final Settings settings;

  ControlPlaneSettings(Settings settings) {
    this.settings = settings;
  }

  String address() {
    return settings.get(ControlPlaneCatalogue.SERVER_URL);
  }

  /**
   * The control plane.
   *
   * @throws RuntimeException naming the setting, if one cannot be used
   */
  ControlPlane controlPlane() {
    ControlPlane.Self self =
        new ControlPlane.Self(
            settings.get(ControlPlaneCatalogue.NODE_ID),
            pairs(ControlPlaneCatalogue.NODE_METADATA, '=', ANY_NAME),
            pairs(ControlPlaneCatalogue.ADDITIONAL_HEADERS, ':', HEADER_NAME));
    Optional<String> name = given(ControlPlaneCatalogue.TLS_SAN);
    return new ControlPlane(
        address(),
        new ControlPlane.Security(credentials(), name),
        self,
        settings.get(ControlPlaneCatalogue.MAX_MESSAGE));
  }

  Waits waits() {
    return new Waits(
        settings.get(ControlPlaneCatalogue.RETRY_INTERVAL),
        settings.get(ControlPlaneCatalogue.BACKOFF_INITIAL),
        settings.get(ControlPlaneCatalogue.BACKOFF_MAX),
        settings.get(ControlPlaneCatalogue.BACKOFF_JITTER) ? HALF : 0);
  }

  /** Files that cannot be used end the start; later they only keep a connection from being made. */
  private Supplier<ChannelCredentials> credentials() {
    if (!settings.get(ControlPlaneCatalogue.USE_TLS)) {
      for (Setting<String> check :
          List.of(ControlPlaneCatalogue.TLS_CACERT, ControlPlaneCatalogue.TLS_SAN)) {
        given(check).ifPresent(value -> refuse(check, value));
      }
      return InsecureChannelCredentials::create;
    }
    ClientTls tls =
        new ClientTls(
            pem(ControlPlaneCatalogue.TLS_CACERT),
            pem(ControlPlaneCatalogue.TLS_CERT)
                .flatMap(
                    certificate ->
                        pem(ControlPlaneCatalogue.TLS_KEY)
                            .map(key -> new ClientTls.Pair(certificate, key))));
    var unused = tls.credentials();
    return tls::credentials;
  }

  private static void refuse(Setting<String> check, String value) {
    throw new SettingException(
        String.format(
            "%s is '%s' (expected %s=true as well, or the control plane is not checked)",
            check.name(), value, ControlPlaneCatalogue.USE_TLS.name()));
  }

  private Optional<PemFile> pem(Setting<String> setting) {
    return given(setting).map(file -> new PemFile(setting.name(), Path.of(file)));
  }

  private Optional<String> given(Setting<String> setting) {
    return Optional.of(settings.get(setting)).filter(it -> !it.isEmpty());
  }

  /** Names and values, of which a message shows nothing: a value may be a secret. */
  private Map<String, String> pairs(Setting<String> setting, char separator, Pattern name) {
    Map<String, String> pairs = new LinkedHashMap<>();
    given(setting)
        .ifPresent(
            text -> {
              for (String pair : text.split(",", -1)) {
                int end = pair.indexOf(separator);
                if (end < 0 || !name.matcher(pair.substring(0, end).strip()).matches()) {
                  throw new SettingException(
                      String.format(
                          "part %d of %s is none (expected name%cvalue,name2%cvalue2)",
                          pairs.size() + 1, setting.name(), separator, separator));
                }
                pairs.put(pair.substring(0, end).strip(), pair.substring(end + 1).strip());
              }
            });
    return pairs;
  }
}
