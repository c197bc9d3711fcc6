package dev.sluice.bench;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Arrays;
import java.util.List;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What the Java machine of a server says of itself, by JMX on the loopback address. */
final class Jvm implements AutoCloseable {
  private final JMXConnector connector;
  private final ThreadMXBean threads;
  private final MemoryMXBean memory;

  /** Options that make a Java machine listen on a port. */
  static List<String> options(int port) {
    return List.of(
        "-Djava.rmi.server.hostname=127.0.0.1",
        "-Dcom.sun.management.jmxremote.host=127.0.0.1",
        "-Dcom.sun.management.jmxremote.port=" + port,
        "-Dcom.sun.management.jmxremote.rmi.port=" + port,
        "-Dcom.sun.management.jmxremote.authenticate=false",
        "-Dcom.sun.management.jmxremote.ssl=false");
  }

  /** The one that listens on a port: a child of this process, so whom it speaks to is known. */
  @SuppressWarnings("BanJNDI")
  Jvm(int port) {
    try {
      connector =
          JMXConnectorFactory.connect(
              new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"));
      MBeanServerConnection server = connector.getMBeanServerConnection();
      threads =
          ManagementFactory.newPlatformMXBeanProxy(
              server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
      memory =
          ManagementFactory.newPlatformMXBeanProxy(
              server, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
    } catch (IOException e) {
      throw new BenchException("the server's Java machine cannot be asked: " + e.getMessage(), e);
    }
  }

  /** Bytes that its threads have allocated since they began. */
  double allocatedBytes() {
    return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }

  /** Bytes of the heap that are still in use after a collection. */
  double liveBytes() {
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      throw new BenchException("the server's Java machine does not hang up", e);
    }
  }
}
