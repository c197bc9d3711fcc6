package dev.sluice.cli;

import dev.sluice.bucket.Terms.OnFailure;
import dev.sluice.rule.ValueHash;
import dev.sluice.rulefile.Loading;
import dev.sluice.rulefile.RuleDirectory;
import dev.sluice.rulefile.RuleFiles;
import dev.sluice.rulefile.RuleOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Which rule files a command reads, and how; also by the flags of the reference server's tool. */
final class RuleDirectoryOptions {
  @Parameters(arity = "0..1", paramLabel = "DIR", description = "Directory of rule files.")
  private @Nullable Path directory;

  @Option(
      names = {"--config-dir", "-config_dir"},
      paramLabel = "DIR",
      description = "The same, as the reference server's tool has it.")
  private @Nullable Path configDir;

  @Option(
      names = {"--merge-domain-configs", "-merge_domain_configs"},
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "${env:MERGE_DOMAIN_CONFIG:-false}",
      converter = YesOrNo.class,
      paramLabel = "true|false",
      description =
          "Several files may have one domain together; default: as MERGE_DOMAIN_CONFIG says.")
  private boolean mergeDomains;

  @Option(
      names = "--hash-value-secret",
      defaultValue = "${env:HASH_VALUE_SECRET:-}",
      paramLabel = "SECRET",
      description = "Secret of hash_value; default: as HASH_VALUE_SECRET says.")
  private String hashValueSecret = "";

  @Option(
      names = "--on-backend-failure",
      defaultValue = "${env:ON_BACKEND_FAILURE:-local}",
      converter = Decider.class,
      paramLabel = "POLICY",
      description =
          "Who decides for rules that do not say so when Redis does not: allow, local, error or deny;"
              + " default: as ON_BACKEND_FAILURE says.")
  private OnFailure onFailure = OnFailure.LOCAL;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** Reads the files. */
  Loading read() {
    RuleDirectory files = new RuleDirectory(directory());
    RuleOptions options =
        new RuleOptions(mergeDomains, RuleOptions.Policy.STRICT, ValueHash.with(hashValueSecret))
            .onFailure(onFailure);
    return RuleFiles.read(files.name(), files.read(), options);
  }

  private Path directory() {
    if (directory != null && configDir != null) {
      throw wrong("DIR is given twice (expected one directory of rule files)");
    }
    Path given = directory == null ? configDir : directory;
    if (given == null) {
      throw wrong("Missing required parameter: 'DIR'");
    }
    if (!Files.isDirectory(given)) {
      throw wrong(String.format("DIR is '%s' (expected a directory of rule files)", given));
    }
    return given;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(java.util.Objects.requireNonNull(spec).commandLine(), message);
  }

  /** The words of rule files, in any case; nothing is the standard. */
  static final class Decider implements ITypeConverter<OnFailure> {
    @Override
    public OnFailure convert(String word) {
      if (word.isEmpty()) {
        return OnFailure.LOCAL;
      }
      return Arrays.stream(OnFailure.values())
          .filter(it -> it.name().equalsIgnoreCase(word))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + word + "' (expected allow, local, error or deny)"));
    }
  }

  /** The words of the settings. */
  static final class YesOrNo implements ITypeConverter<Boolean> {
    private static final Set<String> YES = Set.of("1", "t", "T", "TRUE", "true", "True");
    private static final Set<String> NO = Set.of("", "0", "f", "F", "FALSE", "false", "False");

    @Override
    public Boolean convert(String word) {
      if (YES.contains(word)) {
        return true;
      }
      if (NO.contains(word)) {
        return false;
      }
      throw new TypeConversionException("'" + word + "' (expected true or false)");
    }
  }
}
