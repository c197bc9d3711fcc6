-- One bucket, one question: take units if they conform (or only look, when there is nothing to add).
--
-- A bucket is a string "at:whole:parts:numerator:denominator", with a "d" behind it when it was written in debt: the
-- backlog of whole + parts/denominator microseconds that it had at an instant, and the emission interval
-- numerator/denominator that it was charged under. All numbers are whole and stay below 2^53.
--
-- ARGV  1, 2  need: what has to fit        3, 4  add: what is charged if it does
--       5, 6  capacity of the limit        7, 8  span: capacity and debt
--       9     span of a bucket in debt that comes from another interval
--      10, 11 emission interval of the limit
-- Reply {1 or 0, backlog whole, backlog parts}: after the charge, or as it was judged.

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local cq, cr, d = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[11])
local q, r, dirty = 0, 0, false

local stored = redis.call('GET', KEYS[1])
if stored then
  local at, sq, sr, sn, sd, debt = string.match(stored, '^(%d+):(%d+):(%d+):(%d+):(%d+)(d?)$')
  local left = at and at + sq - now or -1
  if left >= 0 then
    q, r = left, tonumber(sr)
    local mq, mr = cq, cr
    if sn ~= ARGV[10] or sd ~= ARGV[11] then
      -- As many units as were used, at the limit's own interval, less what drained meanwhile at the kinder of both
      -- rates; rounded up, but for what a double cannot tell apart.
      local ratio = (ARGV[10] * sd) / (sn * d)
      local total = (sq + sr / sd) * ratio
      local exact = math.max(0, total - math.max(0, now - at) * math.max(1, ratio))
      q, dirty = math.floor(exact), true
      r = math.max(0, math.ceil((exact - q - total * 2 ^ -50) * d))
      if r >= d then q, r = q + 1, 0 end
      if debt == 'd' then mq, mr = tonumber(ARGV[9]), 0 end
    elseif debt == 'd' then
      mq, mr = tonumber(ARGV[7]), tonumber(ARGV[8])
    end
    if q > mq or (q == mq and r > mr) then q, r, dirty = mq, mr, true end
  end
end

local eq, er = q + ARGV[1], r + ARGV[2]
if er >= d then eq, er = eq + 1, er - d end
local ok = eq < cq or (eq == cq and er <= cr)

if ok and (ARGV[3] ~= '0' or ARGV[4] ~= '0') then
  q, r, dirty = q + ARGV[3], r + ARGV[4], true
  if r >= d then q, r = q + 1, r - d end
end

if dirty and q == 0 and r == 0 then
  redis.call('DEL', KEYS[1])
elseif dirty then
  local debt = (q > cq or (q == cq and r > cr)) and 'd' or ''
  redis.call('SET', KEYS[1],
    string.format('%.0f:%.0f:%.0f:%s:%s%s', now, q, r, ARGV[10], ARGV[11], debt),
    'PXAT', string.format('%.0f', math.floor((now + q) / 1000) + 1))
end
return {ok and 1 or 0, q, r}
