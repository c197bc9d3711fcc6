/** How many calls may be under way at one time, learned from how long they take. */
@NullMarked
package dev.sluice.concurrency;

import org.jspecify.annotations.NullMarked;
