/** Files with certificates and keys, and what the gRPC port makes of them. */
@NullMarked
package dev.sluice.tls;

import org.jspecify.annotations.NullMarked;
