-- A group of charges on any buckets: judged in order, carried out all or not at all.
--
-- Buckets are stored as take.lua says. KEYS has one key for each charge; a key may come again, and then sees what
-- the earlier charge took. ARGV has 13 values for each charge:
--   1     kind: t take, l look, u up to, f force, g give
--   2     when the group is denied without it: a always, t if no other t conforms either, n never
--   3, 4  need: what has to fit            5, 6  add: what is charged (up to: how many units, and one in how many of those left)
--   7, 8  capacity of the limit            9, 10 span: capacity and debt
--   11    span of a bucket in debt that comes from another interval
--   12, 13 emission interval of the limit
-- Reply four numbers for each charge: 1 or 0, units granted (up to only), backlog whole, backlog parts.

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local WIDTH = 13

local function longer(q, r, mq, mr)
  return q > mq or (q == mq and r > mr)
end

local function plus(q, r, aq, ar, d)
  if r + ar >= d then return q + aq + 1, r + ar - d end
  return q + aq, r + ar
end

local function minus(q, r, aq, ar, d)
  if not longer(q, r, aq, ar) then return 0, 0 end
  if r < ar then return q - aq - 1, r - ar + d end
  return q - aq, r - ar
end

local values = {}
for from = 1, #KEYS, 1000 do
  local part = redis.call('MGET', unpack(KEYS, from, math.min(from + 999, #KEYS)))
  for i = 1, #part do values[from + i - 1] = part[i] end
end

local function read(value)
  if value then
    local at, q, r, n, d, debt = string.match(value, '^(%d+):(%d+):(%d+):(%d+):(%d+)(d?)$')
    if at and at + q - now >= 0 then
      return {at = tonumber(at), q = tonumber(q), r = tonumber(r), n = n, d = d, debt = debt == 'd', dirty = false}
    end
  end
  return {at = now, q = 0, r = 0, debt = false, dirty = false}
end

-- The backlog now, as the bucket was written: as many units as were used, at another interval, less what drained
-- meanwhile at the kinder of both rates; rounded up, but for what a double cannot tell apart.
local function convert(bucket, n, d)
  local ratio = (n * bucket.d) / (bucket.n * d)
  local total = (bucket.q + bucket.r / bucket.d) * ratio
  local exact = math.max(0, total - math.max(0, now - bucket.at) * math.max(1, ratio))
  local q = math.floor(exact)
  local r = math.max(0, math.ceil((exact - q - total * 2 ^ -50) * d))
  if r >= d then return q + 1, 0 end
  return q, r
end

-- Brings the bucket to this instant and to the charge's limit, in place.
local function adapt(bucket, at)
  local n, d = ARGV[at + 12], ARGV[at + 13]
  local mq, mr = tonumber(ARGV[at + 7]), tonumber(ARGV[at + 8])
  if bucket.n and (bucket.n ~= n or bucket.d ~= d) then
    bucket.q, bucket.r = convert(bucket, n, tonumber(d))
    bucket.dirty = true
    if bucket.debt then mq, mr = tonumber(ARGV[at + 11]), 0 end
  else
    bucket.q = bucket.at + bucket.q - now
    if bucket.debt then mq, mr = tonumber(ARGV[at + 9]), tonumber(ARGV[at + 10]) end
  end
  bucket.at, bucket.n, bucket.d = now, n, d
  if longer(bucket.q, bucket.r, mq, mr) then bucket.q, bucket.r, bucket.dirty = mq, mr, true end
end

-- The share of the units that fit, at least one of them and at most the wanted number, and what that costs.
local function grant(q, r, wanted, share, cq, cr, n, d)
  local tq, tr = math.floor(n / d), n % d
  local function cost(units)
    return units * tq + math.floor(units * tr / d), (units * tr) % d
  end
  local room, parts = minus(cq, cr, q, r, d)
  local units = math.min(wanted * share, math.floor((room + parts / d) * d / n) + 1)
  while units > 0 do
    local aq, ar = cost(units)
    if not longer(aq, ar, room, parts) then
      local granted = math.max(1, math.floor(units / share))
      return granted, cost(granted)
    end
    units = units - 1
  end
  return 0, 0, 0
end

local function charge(bucket, at, taking)
  local kind, d = ARGV[at + 1], tonumber(ARGV[at + 13])
  local cq, cr = tonumber(ARGV[at + 7]), tonumber(ARGV[at + 8])
  local aq, ar, granted = tonumber(ARGV[at + 5]), tonumber(ARGV[at + 6]), 0
  local eq, er = plus(bucket.q, bucket.r, tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4]), d)
  local ok = not longer(eq, er, cq, cr)
  local q, r = bucket.q, bucket.r
  if kind == 'g' then
    ok = true
    q, r = minus(q, r, aq, ar, d)
  elseif kind == 'f' then
    q, r = plus(q, r, aq, ar, d)
    local sq, sr = tonumber(ARGV[at + 9]), tonumber(ARGV[at + 10])
    if longer(q, r, sq, sr) then q, r = sq, sr end
  elseif taking and ok then
    if kind == 'u' then granted, aq, ar = grant(q, r, aq, ar, cq, cr, tonumber(ARGV[at + 12]), d) end
    q, r = plus(q, r, aq, ar, d)
  end
  if q ~= bucket.q or r ~= bucket.r then bucket.q, bucket.r, bucket.dirty = q, r, true end
  if bucket.dirty then bucket.debt = longer(q, r, cq, cr) end
  return ok, granted
end

local function judge(taking)
  local buckets, reply, denied, together, one = {}, {}, false, false, false
  for i = 1, #KEYS do
    local at = (i - 1) * WIDTH
    local bucket = buckets[KEYS[i]]
    if not bucket then
      bucket = read(values[i])
      buckets[KEYS[i]] = bucket
    end
    adapt(bucket, at)
    local ok, granted = charge(bucket, at, taking)
    local veto = ARGV[at + 2]
    if veto == 't' then
      together, one = true, one or ok
    elseif veto == 'a' and not ok then
      denied = true
    end
    reply[i * 4 - 3], reply[i * 4 - 2] = ok and 1 or 0, granted
    reply[i * 4 - 1], reply[i * 4] = bucket.q, bucket.r
  end
  return buckets, reply, not denied and (one or not together)
end

local buckets, reply, allowed = judge(true)
if not allowed then
  local judged = reply
  buckets, reply = judge(false)
  for i = 1, #KEYS do
    reply[i * 4 - 3] = judged[i * 4 - 3]
    -- What a refused charge was judged against tells how long it has to wait.
    if judged[i * 4 - 3] == 0 and ARGV[(i - 1) * WIDTH + 1] ~= 'f' then
      reply[i * 4 - 1], reply[i * 4] = judged[i * 4 - 1], judged[i * 4]
    end
  end
end

for key, bucket in pairs(buckets) do
  if bucket.dirty then
    if bucket.q == 0 and bucket.r == 0 then
      redis.call('DEL', key)
    else
      redis.call('SET', key,
        string.format('%.0f:%.0f:%.0f:%s:%s%s', now, bucket.q, bucket.r, bucket.n, bucket.d, bucket.debt and 'd' or ''),
        'PXAT', string.format('%.0f', math.floor((now + bucket.q) / 1000) + 1))
    end
  end
end
return reply
