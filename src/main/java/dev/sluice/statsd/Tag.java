package dev.sluice.statsd;

/** What is said of a figure beside its name. */
public record Tag(String key, String value) {}
