/** The edge that Envoy sees: messages are checked and translated, decided, and translated back. */
@NullMarked
package dev.sluice.envoy;

import org.jspecify.annotations.NullMarked;
