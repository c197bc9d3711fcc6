package dev.sluice.rule;

import java.util.List;

/**
 * What makes buckets of a domain share a slot of a Redis Cluster, so that one call decides them
 * together. Immutable.
 */
public sealed interface SlotBy {
  /** Nothing does: each bucket has the slot that its whole name leads to. */
  SlotBy NOTHING = new Nothing();

  /** All of them do, by the name of the domain. */
  SlotBy DOMAIN = new TheDomain();

  /**
   * The text that buckets with these entries share a slot by; empty if they share none.
   *
   * @param entries that name the bucket, so that one bucket never has two slots
   */
  String slot(String domain, List<Entry> entries);

  /** Each bucket on its own. */
  record Nothing() implements SlotBy {
    @Override
    public String slot(String domain, List<Entry> entries) {
      return "";
    }
  }

  /** All buckets of the domain. */
  record TheDomain() implements SlotBy {
    @Override
    public String slot(String domain, List<Entry> entries) {
      return domain;
    }
  }

  /**
   * Those that have the same value of a key; where it comes several times, the first counts.
   *
   * @param key of an entry
   */
  record Key(String key) implements SlotBy {
    @Override
    public String slot(String domain, List<Entry> entries) {
      for (Entry entry : entries) {
        if (entry.key().equals(key)) {
          return entry.value();
        }
      }
      return "";
    }
  }
}
