/** Makes calls: unary gRPC on plain HTTP/2, of bytes that are ready to be sent. */
@NullMarked
package dev.sluice.load;

import org.jspecify.annotations.NullMarked;
