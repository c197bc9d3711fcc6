/** The Netty event loops that the gRPC server and the Redis client share. */
@NullMarked
package dev.sluice.transport;

import org.jspecify.annotations.NullMarked;
