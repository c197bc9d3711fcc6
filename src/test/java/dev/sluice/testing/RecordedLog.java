package dev.sluice.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What one logger says while this is open. Thread-safe. */
public final class RecordedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final Logger logger;

  private RecordedLog(Logger logger) {
    this.logger = logger;
  }

  /** Begins to record. */
  public static RecordedLog of(String name) {
    RecordedLog log = new RecordedLog((Logger) LoggerFactory.getLogger(name));
    log.start();
    log.logger.addAppender(log);
    return log;
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(event.getFormattedMessage());
  }

  /** Whether a line contains a text. */
  public boolean contains(String text) {
    return count(text) > 0;
  }

  /** How many lines contain a text. */
  public long count(String text) {
    return lines.stream().filter(line -> line.contains(text)).count();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
