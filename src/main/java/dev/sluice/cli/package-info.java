/** The commands that people type. */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
