package dev.sluice.redis;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Looks names up as the platform does, and not on an event loop: a name server that does not answer
 * would stop all calls for seconds. Thread-safe.
 */
final class NameLookup extends AddressResolverGroup<InetSocketAddress> {
  private final Executor elsewhere;

  /**
   * A lookup.
   *
   * @param elsewhere where it may block
   */
  NameLookup(Executor elsewhere) {
    this.elsewhere = elsewhere;
  }

  @Override
  protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
    return new Resolver(executor).asAddressResolver();
  }

  private final class Resolver extends InetNameResolver {
    Resolver(EventExecutor executor) {
      super(executor);
    }

    @Override
    protected void doResolve(String name, Promise<InetAddress> promise) {
      elsewhere.execute(
          () -> {
            try {
              promise.trySuccess(InetAddress.getByName(name));
            } catch (UnknownHostException e) {
              promise.tryFailure(e);
            }
          });
    }

    @Override
    protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
      elsewhere.execute(
          () -> {
            try {
              promise.trySuccess(List.of(InetAddress.getAllByName(name)));
            } catch (UnknownHostException e) {
              promise.tryFailure(e);
            }
          });
    }
  }
}
