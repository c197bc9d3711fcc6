package dev.sluice.settings;

import static dev.sluice.settings.Kinds.duration;
import static dev.sluice.settings.Kinds.flag;
import static dev.sluice.settings.Kinds.text;
import static dev.sluice.settings.Kinds.whole;

import java.time.Duration;
import java.util.List;

/** The settings of where rules come from that a control plane needs; a part of the catalogue. */
public final class ControlPlaneCatalogue {
  public static final Setting<String> CONFIG_TYPE =
      Kinds.choice(
          "CONFIG_TYPE",
          "FILE",
          "FILE: rules come from files; GRPC_XDS_SOTW: from a control plane, and no file is read.",
          "FILE",
          "GRPC_XDS_SOTW");
  public static final Setting<String> SERVER_URL =
      new Setting<>(
          "CONFIG_GRPC_XDS_SERVER_URL",
          "localhost:18000",
          "host:port",
          "Where the control plane is.",
          Readers::hostAndPort);
  public static final Setting<String> NODE_ID =
      text("CONFIG_GRPC_XDS_NODE_ID", "default", "The name that it knows this process by.");
  public static final Setting<String> NODE_METADATA =
      text("CONFIG_GRPC_XDS_NODE_METADATA", "", "What else it is told: name=value,name2=value2.");
  public static final Setting<String> ADDITIONAL_HEADERS =
      text(
          "CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS",
          "",
          "Headers that it is sent: name:value,name2:value2.");
  public static final Setting<Boolean> USE_TLS =
      flag("CONFIG_GRPC_XDS_SERVER_USE_TLS", "false", "Talk to it over TLS.");
  public static final Setting<String> TLS_CACERT =
      text(
          "CONFIG_GRPC_XDS_SERVER_TLS_CACERT",
          "",
          "PEM file of who vouches for it; unset: who Java trusts.");
  public static final Setting<String> TLS_SAN =
      text(
          "CONFIG_GRPC_XDS_SERVER_TLS_SAN",
          "",
          "Name that its certificate has to carry; unset: the host that it is called by.");
  public static final Setting<String> TLS_CERT =
      text("CONFIG_GRPC_XDS_CLIENT_TLS_CERT", "", "PEM file of the certificate that it is shown.");
  public static final Setting<String> TLS_KEY =
      text("CONFIG_GRPC_XDS_CLIENT_TLS_KEY", "", "PEM file of its key.");
  public static final Setting<Duration> RETRY_INTERVAL =
      wait(
          "CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL",
          "3s",
          "How long after its end a stream is opened again.");
  public static final Setting<Duration> BACKOFF_INITIAL =
      wait(
          "XDS_CLIENT_BACKOFF_INITIAL_INTERVAL",
          "10s",
          "How long after that, if it was in vain; doubled each time.");
  public static final Setting<Duration> BACKOFF_MAX =
      wait("XDS_CLIENT_BACKOFF_MAX_INTERVAL", "60s", "The longest of these waits.");
  public static final Setting<Boolean> BACKOFF_JITTER =
      flag(
          "XDS_CLIENT_BACKOFF_JITTER",
          "true",
          "Make these waits up to a half shorter or longer, so that replicas do not come together.");
  public static final Setting<Integer> MAX_MESSAGE =
      whole(
          "XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES",
          "67108864",
          1,
          Integer.MAX_VALUE,
          "How large a set of rules may be.");

  private ControlPlaneCatalogue() {}

  private static Setting<Duration> wait(String name, String standard, String meaning) {
    Setting<Duration> any = duration(name, standard, meaning);
    return new Setting<>(name, standard, any.expected(), meaning, Readers::positive);
  }

  /** All of them, in the order of the README's table. */
  static List<Setting<?>> all() {
    return List.of(
        CONFIG_TYPE,
        SERVER_URL,
        NODE_ID,
        NODE_METADATA,
        ADDITIONAL_HEADERS,
        USE_TLS,
        TLS_CACERT,
        TLS_SAN,
        TLS_CERT,
        TLS_KEY,
        RETRY_INTERVAL,
        BACKOFF_INITIAL,
        BACKOFF_MAX,
        BACKOFF_JITTER,
        MAX_MESSAGE);
  }
}
