/** Tests of how many calls may be under way at one time. */
@NullMarked
package dev.sluice.transport;

import org.jspecify.annotations.NullMarked;
