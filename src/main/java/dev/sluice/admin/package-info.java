/** A small HTTP server whose routes are given to it as functions. */
@NullMarked
package dev.sluice.admin;

import org.jspecify.annotations.NullMarked;
