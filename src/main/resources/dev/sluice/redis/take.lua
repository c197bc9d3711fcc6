-- One bucket, one question: take units if they conform (or only look, when there is nothing to add).
--
-- KEYS[1] is the bucket, ARGV[1] the tariff; many.lua says what both look like inside. This is what many.lua does for
-- one question of this kind, without tables and functions.
-- Reply: 1 or 0, and the backlog, whole and parts: after the charge, or as it was judged. Or -1, and nothing is done: a
-- key of another type has the name of the bucket.

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local kind, nq, nr, aq, ar, cq, cr, sq, sr, vq, n, d = struct.unpack('<BdI4dI4dI4dI4ddI4', ARGV[1])
local q, r, dirty = 0, 0, false

local stored = redis.pcall('GET', KEYS[1])
if type(stored) == 'table' then
  if not string.find(stored.err, 'WRONGTYPE', 1, true) then return stored end
  return {-1, 0, 0}
end
if stored and #stored == 28 then
  local interval, at, bq, br, bd = struct.unpack('<I6I7I7I4I4', stored)
  local left = at + bq - now
  if left >= 0 and interval > 1 and br < bd and at + bq < 2 ^ 53 then
    q, r = left, br
    local mq, mr, debt = cq, cr, interval % 2
    if interval - debt ~= n * 2 or bd ~= d then
      -- As many units as were used, at the limit's own interval, less what drained meanwhile at the kinder of both
      -- rates; rounded up, but for what a double cannot tell apart.
      local ratio = (n * 2 * bd) / ((interval - debt) * d)
      local total = (bq + br / bd) * ratio
      local exact = math.max(0, total - math.max(0, now - at) * math.max(1, ratio))
      q, dirty = math.floor(exact), true
      r = math.max(0, math.ceil((exact - q - total * 2 ^ -50) * d))
      if r >= d then q, r = q + 1, 0 end
      if debt == 1 then mq, mr = vq, 0 end
    elseif debt == 1 then
      mq, mr = sq, sr
    end
    if q > mq or (q == mq and r > mr) then q, r, dirty = mq, mr, true end
  end
end

local eq, er = q + nq, r + nr
if er >= d then eq, er = eq + 1, er - d end
local ok = eq < cq or (eq == cq and er <= cr)

if ok and (aq > 0 or ar > 0) then q, r, dirty = eq, er, true end

if dirty and q == 0 and r == 0 then
  redis.call('DEL', KEYS[1])
elseif dirty then
  local debt = (q > cq or (q == cq and r > cr)) and 1 or 0
  redis.call('SET', KEYS[1], struct.pack('<I6I7I7I4I4', n * 2 + debt, now, q, r, d),
    'PXAT', string.format('%d', math.floor((now + q) / 1000) + 1))
end
return {ok and 1 or 0, q, r}
