/** What can be measured: the Prometheus registry, and an observer for each port. */
@NullMarked
package dev.sluice.telemetry;

import org.jspecify.annotations.NullMarked;
