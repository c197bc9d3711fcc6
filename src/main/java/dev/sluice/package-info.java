/** The composition root: every object is made here, by hand and in order, and closed in reverse. */
@NullMarked
package dev.sluice;

import org.jspecify.annotations.NullMarked;
