-- Groups of charges on any buckets, decided in their order. A group is carried out as a whole or not at all.
--
-- A bucket is a string of 28 bytes '<I6I7I7I4I4': the numerator of the emission interval that it was charged under,
-- doubled, and one more if it was written in debt; the instant of that in microseconds; the backlog that it had then,
-- whole microseconds and parts; and the denominator of the interval. A part is 1/denominator of a microsecond. All
-- numbers here are whole and stay below 2^53, so a double holds them; text never looks like a bucket, since its bytes
-- make numbers beyond that.
--
-- KEYS are the buckets; none comes twice. ARGV[1] is packed, without gaps:
--   '<H'     how many tariffs there are
--   tariffs of 69 bytes '<BdI4dI4dI4dI4ddI4', each a limit and what is asked of it:
--     1       kind: 0 take or look, 1 up to, 2 force, 3 give
--     2, 3    need: what has to fit          4, 5  add: what is charged (look: nothing; up to: how many units at most,
--             and one in how many of those that are left)
--     6, 7    capacity of the limit          8, 9  span: capacity and debt
--     10      span of a bucket in debt that comes from another interval
--     11, 12  emission interval of the limit, numerator and denominator
--   charges of 7 bytes '<HHHB', in order:
--     1, 2    index of the bucket, index of the tariff, both from 1
--     3       how often: so many groups of this one charge (a take or a look)
--     4       0 for a charge that is a group of its own. The members of a larger group come after a header, which is a
--             charge without bucket and tariff, and has their number in the third place. They say when the group is
--             denied without them: 1 always, 2 if no other of these conforms either, 3 never.
-- Reply three numbers for each charge: how many conformed (up to: how many units), backlog whole, backlog parts; the
-- backlog is the one after the charge, or the one that it was judged by. All charges of a group have a first number of
-- -1 if one of its buckets has the name of a key of another type: such a key is left alone, and nothing of the group is
-- done.

local read, floor = struct.unpack, math.floor
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local asked = ARGV[1]
local length = #asked

-- MGET takes a key of another type for none, so what is none is looked at once more.
local stored, foreign = {}, false
for from = 1, #KEYS, 1000 do
  local part = redis.call('MGET', unpack(KEYS, from, math.min(from + 999, #KEYS)))
  local none = {}
  for i = 1, #part do
    local value = part[i]
    stored[from + i - 1] = value
    if not value then none[#none + 1] = KEYS[from + i - 1] end
  end
  if #none > 0 and redis.call('EXISTS', unpack(none)) > 0 then
    foreign = foreign or {}
    for i = 1, #part do
      if not part[i] and redis.call('EXISTS', KEYS[from + i - 1]) > 0 then foreign[from + i - 1] = true end
    end
  end
end

local tariffs = {}
local count, at = read('<H', asked)
for i = 1, count do
  tariffs[i] = {read('<BdI4dI4dI4dI4ddI4', asked, at)}
  at = at + 69
end

-- What each bucket holds, once somebody has asked; false where it is full. A state has the five numbers of the string,
-- and true as its sixth if it is to be written; it is never changed.
local state = {}

local function load(key)
  local value = stored[key]
  if value and #value == 28 then
    local s = {read('<I6I7I7I4I4', value)}
    local full = s[2] + s[3]
    if s[1] > 1 and s[4] < s[5] and full >= now and full < 2 ^ 53 then return s end
  end
  return false
end

-- The backlog now of a bucket that was written in debt or under another interval, cut to what it may be, and whether
-- that is not what the bucket says. From another interval come as many units as were used, at the limit's own interval,
-- less what drained meanwhile at the kinder of both rates; rounded up, but for what a double cannot tell apart.
local function adapted(s, t)
  local q, r, mq, mr, n, d, other = s[2] + s[3] - now, s[4], t[6], t[7], t[11], t[12], false
  local debt = s[1] % 2
  if s[1] - debt ~= n * 2 or s[5] ~= d then
    local ratio = (n * 2 * s[5]) / ((s[1] - debt) * d)
    local total = (s[3] + s[4] / s[5]) * ratio
    local exact = math.max(0, total - math.max(0, now - s[2]) * math.max(1, ratio))
    q, other = floor(exact), true
    r = math.max(0, math.ceil((exact - q - total * 2 ^ -50) * d))
    if r >= d then q, r = q + 1, 0 end
    if debt == 1 then mq, mr = t[10], 0 end
  elseif debt == 1 then
    mq, mr = t[8], t[9]
  end
  if q > mq or (q == mq and r > mr) then return mq, mr, true end
  return q, r, other
end

-- How many charges of need fit into what is left of the capacity, at most so many, and the backlog after them. The
-- estimate is never too low, and too high by one or two at most.
local function fill(q, r, nq, nr, t, most)
  local cq, cr, d = t[6], t[7], t[12]
  if q > cq or (q == cq and r >= cr) then return 0, q, r end
  local times = math.min(most, floor(((cq - q) * d + cr - r) / (nq * d + nr)) + 1)
  while times > 0 do
    local carry = floor((times * nr + r) / d)
    local eq, er = q + times * nq + carry, times * nr + r - carry * d
    if eq < cq or (eq == cq and er <= cr) then return times, eq, er end
    times = times - 1
  end
  return 0, q, r
end

-- Gifts, reports and takes of as much as there is. Returns how many conformed, and the backlog after it.
local function special(q, r, t, taking, ok)
  local kind, aq, ar, d = t[1], t[4], t[5], t[12]
  if kind == 1 then
    if not ok then return 0, q, r end
    local nq, nr = floor(t[11] / d), t[11] % d
    local units, eq, er = fill(q, r, nq, nr, t, aq * ar)
    if ar > 1 then units, eq, er = fill(q, r, nq, nr, t, math.max(1, floor(units / ar))) end
    if taking then return units, eq, er end
    return units, q, r
  end
  if kind == 2 then
    local eq, er = q + aq, r + ar
    if er >= d then eq, er = eq + 1, er - d end
    if eq > t[8] or (eq == t[8] and er > t[9]) then eq, er = t[8], t[9] end
    return ok and 1 or 0, eq, er
  end
  if q < aq or (q == aq and r <= ar) then return 1, 0, 0 end
  if r < ar then return 1, q - aq - 1, r - ar + d end
  return 1, q - aq, r - ar
end

-- Judges a charge, and carries it out if it conforms and may be taken; reports and gifts always are.
local function charge(key, t, times, taking)
  local s, q, r, dirty = state[key], 0, 0, false
  if s == nil then
    s = load(key)
    state[key] = s
  end
  local cq, cr, n, d = t[6], t[7], t[11], t[12]
  if s then
    q, r = s[2] + s[3] - now, s[4]
    if s[1] ~= n * 2 or s[5] ~= d or q > cq or (q == cq and r > cr) then q, r, dirty = adapted(s, t) end
  end
  local eq, er = q + t[2], r + t[3]
  if er >= d then eq, er = eq + 1, er - d end
  local ok = eq < cq or (eq == cq and er <= cr)
  local conformed = ok and times or 0
  if t[1] ~= 0 then
    conformed, eq, er = special(q, r, t, taking, ok)
  elseif not ok or not taking or (t[4] == 0 and t[5] == 0) then
    eq, er = q, r
  elseif times > 1 then
    conformed, eq, er = fill(q, r, t[2], t[3], t, times)
  end
  if dirty or eq ~= q or er ~= r then
    local debt = (eq > cq or (eq == cq and er > cr)) and 1 or 0
    state[key] = {n * 2 + debt, now, eq, er, d, true}
  end
  return conformed, eq, er
end

local reply, replied = {}, 0

-- Whether one of the next charges is on a foreign key; then they have their replies.
local function refused(members)
  local any = false
  for i = 1, members do
    any = any or foreign[read('<H', asked, at + (i - 1) * 7)]
  end
  if any then
    for i = 1, members do
      reply[replied + 1], reply[replied + 2], reply[replied + 3] = -1, 0, 0
      replied = replied + 3
    end
  end
  return any
end

-- Decides a group of some members. If it is denied, everything is as it was, and it is judged again without taking.
local function group(members)
  local from, saved = at, {}
  local denied, together, one, first = false, false, false, replied
  for i = 1, members do
    local key, tariff, _, veto = read('<HHHB', asked, at)
    at = at + 7
    saved[i] = state[key]
    local conformed, q, r = charge(key, tariffs[tariff], 1, true)
    local ok = conformed > 0
    if veto == 2 then
      together, one = true, one or ok
    elseif veto == 1 and not ok then
      denied = true
    end
    reply[replied + 1], reply[replied + 2], reply[replied + 3] = conformed, q, r
    replied = replied + 3
  end
  if not denied and (one or not together) then return end
  for i = members, 1, -1 do
    local key = read('<H', asked, from + (i - 1) * 7)
    state[key] = saved[i]
  end
  for i = 1, members do
    local key, tariff = read('<HH', asked, from + (i - 1) * 7)
    local t, place = tariffs[tariff], first + i * 3 - 2
    local _, q, r = charge(key, t, 1, false)
    -- What a refused charge was judged against tells how long it has to wait.
    if reply[place] > 0 or t[1] == 2 then reply[place + 1], reply[place + 2] = q, r end
  end
end

while at <= length do
  local key, tariff, times = read('<HHH', asked, at)
  if key == 0 then
    at = at + 7
    if foreign and refused(times) then
      at = at + times * 7
    else
      group(times)
    end
  elseif foreign and refused(1) then
    at = at + 7
  else
    at = at + 7
    reply[replied + 1], reply[replied + 2], reply[replied + 3] = charge(key, tariffs[tariff], times, true)
    replied = replied + 3
  end
end

local pack = struct.pack
for key = 1, #KEYS do
  local s = state[key]
  if s and s[6] == true then
    if s[3] == 0 and s[4] == 0 then
      redis.call('DEL', KEYS[key])
    else
      redis.call('SET', KEYS[key], pack('<I6I7I7I4I4', s[1], s[2], s[3], s[4], s[5]),
        'PXAT', string.format('%d', floor((now + s[3]) / 1000) + 1))
    end
  end
end
return reply
