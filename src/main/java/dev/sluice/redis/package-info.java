/** Buckets in Redis: one script call decides a request, by the clock of Redis. */
@NullMarked
package dev.sluice.redis;

import org.jspecify.annotations.NullMarked;
