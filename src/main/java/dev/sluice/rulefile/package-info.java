/**
 * Rule files: from YAML text to a rule book, with every problem and its place.
 *
 * <p>{@link dev.sluice.rulefile.RuleDirectory} sees files, {@link dev.sluice.rulefile.RuleFiles}
 * reads them, and {@link dev.sluice.rulefile.RuleWatch} keeps the rules in force up to date.
 */
@NullMarked
package dev.sluice.rulefile;

import org.jspecify.annotations.NullMarked;
