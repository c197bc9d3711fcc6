/** What tests share: real processes, and vectors. */
@NullMarked
package dev.sluice.testing;

import org.jspecify.annotations.NullMarked;
