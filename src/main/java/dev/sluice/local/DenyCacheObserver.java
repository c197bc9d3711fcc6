package dev.sluice.local;

/** Sees what a deny cache answers. Called on any thread; must not block or throw. */
public interface DenyCacheObserver {
  /** So many charges were denied without asking the store. */
  void denied(int charges);
}
