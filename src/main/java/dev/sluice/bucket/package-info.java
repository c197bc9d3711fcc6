/**
 * Buckets and the port that stores them.
 *
 * <p>{@link dev.sluice.bucket.BucketStore} is the port; {@link
 * dev.sluice.bucket.InMemoryBucketStore} is the store that needs nothing else, and the measure that
 * other stores are held against.
 */
@NullMarked
package dev.sluice.bucket;

import org.jspecify.annotations.NullMarked;
