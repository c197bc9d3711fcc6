/** What can be set from outside: one catalogue of environment variables, and how they are read. */
@NullMarked
package dev.sluice.settings;

import org.jspecify.annotations.NullMarked;
