package dev.sluice.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A network between a server and its Redis that can be broken in ways in which a process cannot:
 * bytes get lost while both ends believe that they are connected. Thread-safe.
 */
public final class Relay implements AutoCloseable {
  private final int target;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Way> ways = ConcurrentHashMap.newKeySet();
  private volatile boolean swallowing;

  /** A way to a port of this machine. */
  public Relay(int target) {
    this.target = target;
    try {
      listening = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  /** Where it listens: what REDIS_URL is set to. */
  public String url() {
    return "127.0.0.1:" + listening.getLocalPort();
  }

  /** From now on, connections that there are and new ones get no byte through, and never will. */
  public void swallow() {
    swallowing = true;
    ways.forEach(way -> way.dead = true);
  }

  /** New connections get through; what was swallowed stays so, and its sockets stay open. */
  public void mend() {
    swallowing = false;
  }

  /** How many connections through it their client has not closed. */
  public long connections() {
    return ways.stream().filter(way -> !way.ended).count() / 2;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = tracked(listening.accept());
        Socket server = tracked(new Socket(InetAddress.getLoopbackAddress(), target));
        start(client, server);
        start(server, client);
      } catch (IOException e) {
        // There is nobody at the target, or the relay is closed. The client sees its end.
      }
    }
  }

  private Socket tracked(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    sockets.add(socket);
    return socket;
  }

  private void start(Socket from, Socket to) {
    Way way = new Way(from, to, swallowing);
    ways.add(way);
    daemon(way);
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  /** One direction of one connection. */
  private static final class Way implements Runnable {
    private final Socket from;
    private final Socket to;
    private volatile boolean dead;
    private volatile boolean ended;

    Way(Socket from, Socket to, boolean dead) {
      this.from = from;
      this.to = to;
      this.dead = dead;
    }

    @Override
    public void run() {
      byte[] bytes = new byte[16_384];
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        int read = in.read(bytes);
        while (read >= 0) {
          if (!dead) {
            out.write(bytes, 0, read);
          }
          read = in.read(bytes);
        }
      } catch (IOException e) {
        // One end is gone, so the other goes too.
      } finally {
        ended = true;
      }
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
