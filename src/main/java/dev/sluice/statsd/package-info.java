/** What was counted, sent to statsd or DogStatsD at intervals. */
@NullMarked
package dev.sluice.statsd;

import org.jspecify.annotations.NullMarked;
