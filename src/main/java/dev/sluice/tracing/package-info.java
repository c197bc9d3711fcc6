/** Spans of calls, decisions and what was asked of Redis, and the way to their collector. */
@NullMarked
package dev.sluice.tracing;

import org.jspecify.annotations.NullMarked;
