-- Notes that a server lives, and counts those that do.
--
-- KEYS[1]  the set of servers, each scored by the millisecond in which it was last heard of
-- ARGV[1]  the name of this one
-- ARGV[2]  milliseconds after which one that is not heard of counts as dead
--
-- Returns how many live. Scores ahead of the clock are of a clock that was set back since: they are
-- forgotten too, and whoever lives is heard of again soon.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local life = tonumber(ARGV[2])

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('(%.0f', now - life))
redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('(%.0f', now), '+inf')
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', 3 * life))
return redis.call('ZCARD', KEYS[1])
