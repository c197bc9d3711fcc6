package dev.sluice.load;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * What is called, and what each call says beside its message.
 *
 * @param address of the server
 * @param path {@code /package.Service/Method}
 * @param headers more headers, in lower case, such as grpc-timeout
 */
public record Target(InetSocketAddress address, String path, List<Header> headers) {
  public Target {
    headers = List.copyOf(headers);
  }

  /** A header of a call. */
  public record Header(String name, String value) {}
}
