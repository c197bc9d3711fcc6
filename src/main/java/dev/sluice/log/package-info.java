/** The log: how its lines look, and how much is said. The one room that knows Logback. */
@NullMarked
package dev.sluice.log;

import org.jspecify.annotations.NullMarked;
