package dev.sluice;

import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.rule.ValueHash;
import dev.sluice.rulefile.RuleDirectory;
import dev.sluice.rulefile.RuleOptions;
import dev.sluice.rulefile.RuleWatch;
import dev.sluice.rulefile.RulesInForce;
import dev.sluice.settings.Catalogue;
import dev.sluice.settings.ControlPlaneCatalogue;
import dev.sluice.settings.Settings;
import dev.sluice.transport.EventLoops;
import dev.sluice.xds.ControlPlane;
import dev.sluice.xds.ControlPlaneObserver;
import dev.sluice.xds.RuleSubscription;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the settings say that rules come from: a directory, or a control plane. */
sealed interface RuleSource {
  /** What people know it by. */
  String name();

  /** How what comes from there is taken. */
  RuleOptions options();

  /** Takes what is there, and what comes later, until it is closed. */
  AutoCloseable open(RulesInForce rules, EventLoops loops, ControlPlaneObserver observer);

  /**
   * The source of these settings.
   *
   * @param given the directory of rule files from the command line, if any
   * @throws RuntimeException naming the setting, if one cannot be used
   */
  static RuleSource of(Settings settings, Optional<Path> given) {
    boolean files = settings.get(ControlPlaneCatalogue.CONFIG_TYPE).equals("FILE");
    RuleOptions options =
        new RuleOptions(
            settings.get(Catalogue.MERGE_DOMAIN_CONFIG),
            RuleOptions.Policy.valueOf(settings.get(Catalogue.RELOAD_POLICY)),
            ValueHash.with(settings.get(Catalogue.HASH_VALUE_SECRET)),
            files ? RuleOptions.Origin.FILES : RuleOptions.Origin.CONTROL_PLANE,
            OnFailure.valueOf(settings.get(Catalogue.ON_BACKEND_FAILURE).toUpperCase(Locale.ROOT)));
    return files
        ? new Directory(RuleLocation.of(settings, given), options)
        : new Stream(new ControlPlaneSettings(settings), options, given);
  }

  /** A directory of rule files. */
  record Directory(RuleDirectory directory, RuleOptions options) implements RuleSource {
    @Override
    public String name() {
      return directory.name();
    }

    @Override
    public AutoCloseable open(RulesInForce rules, EventLoops loops, ControlPlaneObserver observer) {
      RuleWatch watch = new RuleWatch(directory, rules);
      var unused = watch.start();
      return watch;
    }
  }

  /**
   * A control plane.
   *
   * @param unread a directory that was given all the same
   */
  record Stream(ControlPlaneSettings settings, RuleOptions options, Optional<Path> unread)
      implements RuleSource {
    private static final Logger LOG = LoggerFactory.getLogger(RuleSource.class);

    @Override
    public String name() {
      return "the control plane at " + settings.address();
    }

    @Override
    public AutoCloseable open(RulesInForce rules, EventLoops loops, ControlPlaneObserver observer) {
      LOG.info("Rules are those of {}.", name());
      unread.ifPresent(
          directory ->
              LOG.warn("Rule files in {} are not read, since CONFIG_TYPE is not FILE.", directory));
      ControlPlane controlPlane = settings.controlPlane();
      RuleSubscription subscription =
          new RuleSubscription(controlPlane, settings.waits(), loops, rules, observer);
      subscription.start();
      return subscription;
    }
  }
}
