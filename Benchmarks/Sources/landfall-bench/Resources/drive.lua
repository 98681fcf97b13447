-- Sends ready-made requests through wrk, each once, and ends wrk when none are left.
--
-- Arguments: the file with the requests, and when to end:
--   repeat  when wrk's time is up; the requests are sent over and over
--   send    when the last request is sent
--   drain   when the last response arrives
--
-- In the file, a line with the length in bytes precedes each request. At the end, one line of JSON is written; its
-- latencies are in microseconds.

local ffi = require("ffi")
ffi.cdef("int kill(int pid, int signal); int getpid(void);")

local INTERRUPT = 2

local requests = {}
local mode
local sent = 0
local responded = 0
local has_rehearsed = false

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

-- wrk passes every response to a function of this name, if there is one. That costs time, so single posts do without it.
local function count_responses()
    function response()
        responded = responded + 1
        if responded == #requests then finish() end
    end
end

function init(arguments)
    read(arguments[1])
    mode = arguments[2]
    if mode == "drain" then count_responses() end
end

-- If no request is left, the connection gets an empty one and stays idle.
function request()
    -- wrk calls this once before it begins, to check the request, and does not send the result.
    if not has_rehearsed then
        has_rehearsed = true
        return requests[1]
    end
    sent = sent + 1
    if mode == "repeat" then return requests[(sent - 1) % #requests + 1] end
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
