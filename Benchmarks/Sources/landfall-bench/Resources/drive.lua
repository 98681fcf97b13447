-- Sends ready-made requests through wrk.
--
-- Arguments: the file with the requests, how to send them, and the mean pause of a connection before each of its requests,
-- in milliseconds:
--   send    each once, until the last one is sent
--   drain   each once, until the last response arrives
--   repeat  over and over, until wrk's time is up; the last twelve digits of the notification ids change every time
--
-- In the file, a line with the length in bytes precedes each request. At the end, one line of JSON is written; its
-- latencies are in microseconds.

local ffi = require("ffi")
ffi.cdef("int kill(int pid, int signal); int getpid(void);")

local INTERRUPT = 2
local ID = '"notification_id":"'
local ID_LENGTH = 36
local STAMP_LENGTH = 12

local requests = {}
local mode
local sent = 0
local responded = 0
local has_rehearsed = false
local started = os.time()

-- wrk's main thread sleeps until the time is up; a signal wakes it.
local function finish()
    wrk.thread:stop()
    ffi.C.kill(ffi.C.getpid(), INTERRUPT)
end

local function read(path)
    local file = assert(io.open(path, "rb"))
    while true do
        local length = file:read("*n")
        if not length then break end
        file:read(1)
        requests[#requests + 1] = file:read(length)
    end
    file:close()
end

-- The text in pieces; every second one is the end of an id.
local function split(text)
    local pieces, from = {}, 1
    while true do
        local _, before = text:find(ID, from, true)
        if not before then break end
        local stamp = before + 1 + ID_LENGTH - STAMP_LENGTH
        pieces[#pieces + 1] = text:sub(from, stamp - 1)
        pieces[#pieces + 1] = ""
        from = stamp + STAMP_LENGTH
    end
    pieces[#pieces + 1] = text:sub(from)
    return pieces
end

-- The request with new notification ids: their ends name the second in which wrk was started, and the pass.
local function stamped(pieces, pass)
    if #pieces == 1 then return pieces[1] end
    local stamp = string.format("%08x%04x", started, pass)
    for place = 2, #pieces, 2 do pieces[place] = stamp end
    return table.concat(pieces)
end

-- wrk passes every response to a function of this name, if there is one. That costs time, so single posts do without it.
local function count_responses()
    function response()
        responded = responded + 1
        if responded == #requests then finish() end
    end
end

-- wrk asks a function of this name, if there is one, how long a connection pauses. Pauses are random, so that the
-- connections do not send at the same instants.
local function pause(mean)
    function delay() return math.random(0, 2 * mean) end
end

function init(arguments)
    read(arguments[1])
    mode = arguments[2]
    local mean = tonumber(arguments[3])
    if mean > 0 then pause(mean) end
    if mode == "drain" then count_responses() end
    if mode == "repeat" then
        for number, request in ipairs(requests) do requests[number] = split(request) end
    end
end

-- If no request is left, the connection gets an empty one and stays idle.
function request()
    -- wrk calls this once before it begins, to check the request, and does not send the result.
    if not has_rehearsed then
        has_rehearsed = true
        return mode == "repeat" and stamped(requests[1], 0) or requests[1]
    end
    sent = sent + 1
    if mode == "repeat" then
        local number = sent - 1
        return stamped(requests[number % #requests + 1], math.floor(number / #requests))
    end
    if sent <= #requests then return requests[sent] end
    if mode == "send" then finish() end
    return ""
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"rejected":%d,"broken":%d}\n',
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
        errors.connect + errors.read + errors.write + errors.timeout))
end
