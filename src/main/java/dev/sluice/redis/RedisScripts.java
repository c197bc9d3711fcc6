package dev.sluice.redis;

import java.util.List;

/**
 * The scripts that decide.
 *
 * @param take for one take or look at one bucket
 * @param many for every other group of charges
 */
public record RedisScripts(RedisScript take, RedisScript many) {
  /** The scripts in the jar. */
  public static RedisScripts load() {
    return new RedisScripts(RedisScript.resource("take.lua"), RedisScript.resource("many.lua"));
  }

  List<RedisScript> all() {
    return List.of(take, many);
  }
}
