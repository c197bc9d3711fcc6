package dev.sluice.redis;

import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;

/** Which servers hold the buckets, and how the one that decides is found. */
public sealed interface Topology {
  /** The servers that are named: the one that decides, or those that know it. */
  List<URI> servers();

  /**
   * One server.
   *
   * @param url whose scheme is redis, rediss or unix
   */
  record Single(URI url) implements Topology {
    @Override
    public List<URI> servers() {
      return List.of(url);
    }

    @Override
    public String toString() {
      return place(url);
    }
  }

  /**
   * The primary that sentinels name.
   *
   * @param primary the name that they know it by
   * @param servers the sentinels, at least one
   * @param secret what they are told, instead of what is in their URLs; or nothing
   */
  record Sentinel(String primary, List<URI> servers, Secret secret) implements Topology {
    public Sentinel {
      servers = List.copyOf(servers);
    }

    @Override
    public String toString() {
      return primary + " (sentinels " + places(servers) + ")";
    }
  }

  /**
   * A cluster.
   *
   * @param servers some of its nodes, at least one
   */
  record Cluster(List<URI> servers) implements Topology {
    public Cluster {
      servers = List.copyOf(servers);
    }

    @Override
    public String toString() {
      return places(servers) + " (cluster)";
    }
  }

  private static String places(List<URI> servers) {
    return servers.stream().map(Topology::place).collect(Collectors.joining(", "));
  }

  private static String place(URI url) {
    return url.getScheme().equals("unix")
        ? url.getPath()
        : url.getHost() + ":" + RedisAddress.port(url);
  }
}
