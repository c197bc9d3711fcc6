package dev.sluice.admin;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * As many threads as there is work at one time, and no more than {@value #MOST}: a task is given to
 * an idle thread if there is one, and waits only once there are that many.
 */
final class Threads {
  /** A caller that stops half way holds one, so there may be more than work needs. */
  private static final int MOST = 64;

  private static final int WAITING = 1_000;
  private static final int IDLE_SECONDS = 10;

  private Threads() {}

  /** None yet; they end by themselves when they have nothing to do. */
  static ThreadPoolExecutor named(String name) {
    AtomicInteger next = new AtomicInteger();
    Handover tasks = new Handover();
    return new ThreadPoolExecutor(
        0,
        MOST,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        tasks,
        task -> {
          Thread thread = new Thread(task, name + "-" + next.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        },
        (task, threads) -> tasks.await(task, threads));
  }

  /** Takes what an idle thread waits for, and nothing else: the pool makes a thread then. */
  private static final class Handover extends LinkedTransferQueue<Runnable> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean offer(Runnable task) {
      return tryTransfer(task);
    }

    /** Keeps a task until a thread has the time; all are busy. */
    void await(Runnable task, ThreadPoolExecutor threads) {
      if (threads.isShutdown() || size() >= WAITING) {
        throw new RejectedExecutionException("too many wait");
      }
      var unused = super.offer(task);
    }
  }
}
