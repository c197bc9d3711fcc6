/** Decorators of the bucket store that keep answers coming when the store does not. */
@NullMarked
package dev.sluice.guard;

import org.jspecify.annotations.NullMarked;
