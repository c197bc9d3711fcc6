package dev.sluice.envoy;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Collects what a stream brings, to be taken one by one. */
final class Replies<T> implements StreamObserver<T> {
  private final BlockingQueue<T> values = new LinkedBlockingQueue<>();
  private volatile @Nullable Throwable error;

  /** The next reply, once it is there. */
  T next() throws InterruptedException {
    T value = values.poll(10, TimeUnit.SECONDS);
    if (value == null) {
      throw new AssertionError("no reply came", error);
    }
    return value;
  }

  /** What the call ended with; null while it goes on. */
  @Nullable Throwable error() {
    return error;
  }

  @Override
  public void onNext(T value) {
    values.add(value);
  }

  @Override
  public void onError(Throwable failure) {
    error = failure;
  }

  @Override
  public void onCompleted() {}
}
