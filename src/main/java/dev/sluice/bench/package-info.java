/** The benchmark: real servers, a real Redis, load from here, and one table. */
@NullMarked
package dev.sluice.bench;

import org.jspecify.annotations.NullMarked;
