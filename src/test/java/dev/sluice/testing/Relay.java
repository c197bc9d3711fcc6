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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A network between a server and its Redis that can be broken in ways in which a process cannot:
 * bytes get lost while both ends believe that they are connected. Thread-safe.
 */
public final class Relay implements AutoCloseable {
  /** How much gets through a narrow way at one time, in bytes. */
  private static final int PIECE = 128;

  private volatile int target;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Way> ways = ConcurrentHashMap.newKeySet();
  private volatile boolean swallowing;
  private volatile int width;

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
    return "127.0.0.1:" + port();
  }

  /** Where it listens on the loopback. */
  public int port() {
    return listening.getLocalPort();
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

  /** New connections lead to another port; those that there are stay. */
  public void leadTo(int port) {
    target = port;
  }

  /**
   * From now on, no more gets through to the target than so many bytes a second; what is beyond
   * waits. 0: all gets through at once.
   */
  public void narrow(int bytesPerSecond) {
    width = bytesPerSecond;
  }

  /** How many connections through it their client has not closed. */
  public long connections() {
    return ways.stream().filter(way -> !way.ended).count() / 2;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        connect(tracked(listening.accept()));
      } catch (IOException e) {
        // The relay is closed, or the client has gone.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    try {
      Socket server = tracked(new Socket(InetAddress.getLoopbackAddress(), target));
      start(client, server, true);
      start(server, client, false);
    } catch (IOException e) {
      // There is nobody at the target. The client sees its end.
      client.close();
    }
  }

  private Socket tracked(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    sockets.add(socket);
    return socket;
  }

  private void start(Socket from, Socket to, boolean forth) {
    Way way = new Way(from, to, forth);
    way.dead = swallowing;
    ways.add(way);
    daemon(way);
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  /** One direction of one connection. */
  private final class Way implements Runnable {
    private final Socket from;
    private final Socket to;
    private final boolean forth;
    private volatile boolean dead;
    private volatile boolean ended;

    Way(Socket from, Socket to, boolean forth) {
      this.from = from;
      this.to = to;
      this.forth = forth;
    }

    @Override
    public void run() {
      byte[] bytes = new byte[16_384];
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        int read = read(in, bytes);
        while (read >= 0) {
          if (!dead) {
            out.write(bytes, 0, read);
          }
          read = read(in, bytes);
        }
      } catch (IOException e) {
        // One end is gone, so the other goes too.
      } finally {
        ended = true;
      }
    }

    private int read(InputStream in, byte[] bytes) throws IOException {
      int narrow = width;
      if (!forth || narrow == 0) {
        return in.read(bytes);
      }
      int read = in.read(bytes, 0, PIECE);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.max(0, read)) / narrow;
      while (end - System.nanoTime() > 0) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      return read;
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
