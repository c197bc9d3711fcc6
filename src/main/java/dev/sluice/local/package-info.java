/**
 * Decorators of the bucket store that spare it calls: what is known here already is not asked, and
 * what is asked goes together.
 */
@NullMarked
package dev.sluice.local;

import org.jspecify.annotations.NullMarked;
