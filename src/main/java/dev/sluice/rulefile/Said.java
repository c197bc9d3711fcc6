package dev.sluice.rulefile;

/**
 * Something that a file says once for a whole domain or rule, and where.
 *
 * @param place of the value
 */
record Said<T>(T value, Place place) {}
