/**
 * The arithmetic of GCRA, the generic cell rate algorithm: exact, pure, without a clock or a store
 * of its own.
 *
 * <p>A limit of L units a period W has the emission interval T = W/L. A bucket is described by one
 * instant, its theoretical arrival time (TAT); what lies between now and then is its backlog. Every
 * duration is a whole number of microseconds and a remainder counted in parts of the interval's
 * denominator, so nothing is ever rounded.
 */
@NullMarked
package dev.sluice.limit;

import org.jspecify.annotations.NullMarked;
