/** Rules, and how a descriptor finds its rule. Everything here is immutable. */
@NullMarked
package dev.sluice.rule;

import org.jspecify.annotations.NullMarked;
