package dev.sluice;

import dev.sluice.cli.Sluice;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.Settings;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The entry point of the process. */
public final class Main {
  private Main() {}

  /**
   * Runs a command. The process goes on after {@code serve} has started, until it is told to stop.
   */
  public static void main(String[] arguments) {
    String version = Main.class.getPackage().getImplementationVersion();
    System.setProperty("sluice.version", version == null ? "development" : version);
    int code = Sluice.run(Main::serve, arguments);
    if (code != 0) {
      System.exit(code);
    }
  }

  private static void serve(Optional<Path> directory) {
    Settings settings = Settings.of(System.getenv());
    System.setProperty("sluice.log.level", settings.get(Catalogue.LOG_LEVEL));
    System.setProperty("sluice.log.format", settings.get(Catalogue.LOG_FORMAT));
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    Application application = Application.start(settings, directory);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(application), "sluice-stop"));
    if (settings.get(Catalogue.LOG_FORMAT).equals("json")) {
      LoggerFactory.getLogger(Main.class).info("{}", Banner.of(application).strip());
    } else {
      System.out.print(Banner.of(application));
    }
  }

  /** Stops as told: that is success, whatever the signal. */
  private static void stop(Application application) {
    application.close();
    Runtime.getRuntime().halt(0);
  }
}
