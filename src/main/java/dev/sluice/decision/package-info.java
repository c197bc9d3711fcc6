/** One request, one answer: rules are found, buckets are asked, and verdicts become statuses. */
@NullMarked
package dev.sluice.decision;

import org.jspecify.annotations.NullMarked;
