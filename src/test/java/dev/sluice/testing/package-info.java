/** What tests share: real processes, started, watched and ended, and vectors. */
@NullMarked
package dev.sluice.testing;

import org.jspecify.annotations.NullMarked;
