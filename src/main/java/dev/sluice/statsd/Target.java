package dev.sluice.statsd;

/** Who collects, and how it is spoken to. */
public record Target(String host, int port, Protocol protocol) {
  /** How lines are carried. */
  public enum Protocol {
    /** One connection. */
    TCP(16_384),
    /** Datagrams, each with whole lines. */
    UDP(1_432);

    private final int most;

    Protocol(int most) {
      this.most = most;
    }

    /** How many bytes go together; of UDP, as many as Ethernet carries without parting them. */
    int most() {
      return most;
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
