package dev.sluice.testing;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Somebody who listens as statsd does, on a real socket, and remembers every line. */
public final class StatsdListener implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final int LARGEST_DATAGRAM = 65_535;

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();
  private final Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
  private final AutoCloseable socket;
  private final int port;

  private interface Loop {
    void run() throws IOException;
  }

  private StatsdListener(ServerSocket server) {
    socket = server;
    port = server.getLocalPort();
    begin(
        () -> {
          while (true) {
            Socket connection = server.accept();
            connections.add(connection);
            begin(() -> read(connection));
          }
        });
  }

  private StatsdListener(DatagramSocket datagrams) {
    socket = datagrams;
    port = datagrams.getLocalPort();
    begin(
        () -> {
          while (true) {
            DatagramPacket packet =
                new DatagramPacket(new byte[LARGEST_DATAGRAM], LARGEST_DATAGRAM);
            datagrams.receive(packet);
            sizes.add(packet.getLength());
            String text =
                new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
            text.lines().forEach(lines::add);
          }
        });
  }

  /** On a free port of TCP. */
  public static StatsdListener tcp() {
    return tcp(0);
  }

  /** On a port of TCP. */
  public static StatsdListener tcp(int port) {
    try {
      ServerSocket server = new ServerSocket();
      server.setReuseAddress(true);
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return new StatsdListener(server);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** On a free port of UDP. */
  public static StatsdListener udp() {
    try {
      return new StatsdListener(new DatagramSocket(0, InetAddress.getLoopbackAddress()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void begin(Loop loop) {
    Thread thread =
        new Thread(
            () -> {
              try {
                loop.run();
              } catch (IOException closed) {
                return;
              }
            },
            "statsd-listener");
    thread.setDaemon(true);
    thread.start();
  }

  private void read(Socket connection) throws IOException {
    BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      lines.add(line);
    }
  }

  /** Where it listens. */
  public int port() {
    return port;
  }

  /** Every line so far. */
  public List<String> lines() {
    return new ArrayList<>(lines);
  }

  /** How many bytes each datagram had. */
  public List<Integer> sizes() {
    return new ArrayList<>(sizes);
  }

  /** How many connections there have been. */
  public int connections() {
    return connections.size();
  }

  /** What the counters have amounted to, by name. */
  public Map<String, Long> counters() {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (String line : lines) {
      int end = line.indexOf("|c");
      if (end > 0) {
        int colon = line.indexOf(':');
        String name = line.substring(0, colon) + line.substring(end + 2);
        sums.merge(name, Long.parseLong(line.substring(colon + 1, end)), Long::sum);
      }
    }
    return sums;
  }

  /** Waits until a counter has amounted to so much. */
  public void awaitCounter(String name, long sum) {
    await(name).atMost(LONG).until(() -> counters().getOrDefault(name, 0L), it -> it == sum);
  }

  /** Waits for a line. */
  public void awaitLine(String line) {
    await(line).atMost(LONG).until(() -> lines.contains(line));
  }

  /** Ends all connections, and takes no more. */
  @Override
  public void close() {
    try {
      socket.close();
      for (Socket connection : connections) {
        connection.close();
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
