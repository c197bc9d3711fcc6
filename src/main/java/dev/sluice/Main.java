package dev.sluice;

import dev.sluice.cli.Sluice;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Settings;
import java.nio.file.Path;
import java.security.Security;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The entry point of the process. */
public final class Main {
  private static final String NAMES_LIVE = "networkaddress.cache.ttl";

  private Main() {}

  /**
   * Runs a command. The process goes on after {@code serve} has started, until it is told to stop.
   */
  public static void main(String[] arguments) {
    String version = Main.class.getPackage().getImplementationVersion();
    System.setProperty("sluice.version", version == null ? "development" : version);
    forgetNamesSoon();
    int code = Sluice.run(Main::serve, arguments);
    if (code != 0) {
      System.exit(code);
    }
  }

  /** A name that moves is how many services fail over; Java would keep it for half a minute. */
  private static void forgetNamesSoon() {
    if (Security.getProperty(NAMES_LIVE) == null) {
      Security.setProperty(NAMES_LIVE, "1");
    }
  }

  private static void serve(Optional<Path> directory, boolean untilWarm) {
    Settings settings = Settings.of(System.getenv());
    System.setProperty("sluice.log.level", settings.get(Catalogue.LOG_LEVEL));
    System.setProperty("sluice.log.format", settings.get(Catalogue.LOG_FORMAT));
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    Application application = startStoppable(settings, directory);
    if (settings.get(Catalogue.LOG_FORMAT).equals("json")) {
      LoggerFactory.getLogger(Main.class).info("{}", Banner.of(application).strip());
    } else {
      System.out.print(Banner.of(application));
    }
    if (untilWarm) {
      var unused = application.warm().thenRunAsync(() -> System.exit(0));
    }
  }

  /** Starts a server that stops when the process is told to, were it in the middle of its start. */
  private static Application startStoppable(Settings settings, Optional<Path> directory) {
    AtomicReference<Application> started = new AtomicReference<>();
    Thread stop = new Thread(() -> stop(Optional.ofNullable(started.get())), "sluice-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    try {
      Application application = Application.start(settings, directory);
      started.set(application);
      return application;
    } catch (RuntimeException e) {
      Runtime.getRuntime().removeShutdownHook(stop);
      throw e;
    }
  }

  /** Stops as told: that is success, whatever the signal. */
  private static void stop(Optional<Application> application) {
    application.ifPresent(Application::close);
    Runtime.getRuntime().halt(0);
  }
}
