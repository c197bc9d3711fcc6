/**
 * Rules from a control plane, by Envoy's discovery protocol (ADS, state of the world).
 *
 * <p>{@link dev.sluice.xds.RuleSubscription} keeps a stream open, {@link dev.sluice.xds.Updates}
 * takes what comes, and {@link dev.sluice.xds.Resources} says it in the words of rule files.
 */
@NullMarked
package dev.sluice.xds;

import org.jspecify.annotations.NullMarked;
