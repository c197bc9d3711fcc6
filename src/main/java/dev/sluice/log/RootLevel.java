package dev.sluice.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/**
 * The least weight of what is logged, while the process runs. Thread-safe.
 *
 * <p>Loggers that have a level of their own, as those of libraries do, keep it.
 */
public final class RootLevel {
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  /** The level now: ERROR, WARN, INFO, DEBUG or TRACE. */
  public String get() {
    return root.getEffectiveLevel().toString();
  }

  /** Sets another one, from now on and for every thread. */
  public void set(String level) {
    root.setLevel(Level.valueOf(level));
  }
}
