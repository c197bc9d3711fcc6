package dev.sluice.transport;

import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** A socket that is a file. The server socket makes the file, and removes it when it is closed. */
public final class UnixSocket {
  private UnixSocket() {}

  /** The address of the file for a server socket on the event loops. */
  public static SocketAddress address(Path path) {
    return EventLoops.isEpoll()
        ? new DomainSocketAddress(path.toString())
        : UnixDomainSocketAddress.of(path);
  }

  /**
   * Removes the socket that a process left behind when it was killed.
   *
   * @throws IOException if a process listens there, or if something else is there; it stays then
   */
  public static void clear(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    BasicFileAttributes file =
        Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!file.isOther()) {
      throw new BindException("there is a file that is no socket");
    }
    if (isListenedTo(path)) {
      throw new BindException("another process listens there");
    }
    Files.delete(path);
  }

  private static boolean isListenedTo(Path path) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
