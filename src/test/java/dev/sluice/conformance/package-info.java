/** Cases in files, and the driver that runs them against a whole server. */
@NullMarked
package dev.sluice.conformance;

import org.jspecify.annotations.NullMarked;
