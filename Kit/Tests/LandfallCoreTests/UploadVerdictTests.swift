import Foundation
import Testing

@testable import LandfallApp
@testable import LandfallCore

@Suite struct UploadVerdictTests {
    @Test(
        "follows from the response",
        arguments: [
            (nil, .retry(after: nil, isServers: false)),
            (.recorded(2), .recorded(rejected: [])),
            (.recorded(0, duplicates: 2), .recorded(rejected: [])),
            (.recorded(1, rejected: ["too_old"]), .recorded(rejected: ["too_old"])),
            // Not all of the events, or not Landfall.
            (.recorded(1), .retry(after: nil, isServers: false)),
            (.counts(.max, 1, 0), .retry(after: nil, isServers: false)),
            (.counts(2, .min, .max), .retry(after: nil, isServers: false)),
            (.counts(3, -1, 0), .retry(after: nil, isServers: false)),
            (.page(200), .retry(after: nil, isServers: false)),
            (.page(302), .retry(after: nil, isServers: false)),
            (.page(403), .retry(after: nil, isServers: false)),
            (.page(404), .retry(after: nil, isServers: false)),
            (.page(410), .retry(after: nil, isServers: false)),
            (.page(413), .divide(code: "413")),
            (.page(502), .retry(after: nil, isServers: true)),
            (.page(511), .retry(after: nil, isServers: true)),
            (.problem(401, "unauthorized"), .stop(code: "unauthorized")),
            (.problem(403, "wrong_key_kind"), .stop(code: "wrong_key_kind")),
            (.problem(404, "not_found"), .stop(code: "not_found")),
            (.problem(408, "request_timeout"), .retry(after: nil, isServers: true)),
            (.problem(410, "erased_device"), .erased),
            (.problem(413, "too_many_items"), .divide(code: "too_many_items")),
            (.problem(400, "invalid_json"), .divide(code: "invalid_json")),
            (.problem(429, "rate_limited", retryAfter: 7), .retry(after: 7, isServers: true)),
            (.problem(503, "unavailable", retryAfter: 2), .retry(after: 2, isServers: true)),
            (.problem(500, "internal_error"), .retry(after: nil, isServers: true)),
        ] as [(Response?, UploadVerdict)])
    func verdict(_ response: Response?, _ verdict: UploadVerdict) {
        #expect(UploadVerdict(response, events: 2) == verdict)
    }

    @Test("pauses twice as long after each failure, at random, up to an hour")
    func pause() throws {
        var last: Pause?
        var longest: [Int64] = []
        for _ in 1...20 {
            last = Pause(
                after: .retry(after: nil, isServers: true), following: last, configuration: "c", now: 0,
                random: 1)
            longest.append(try #require(last).until)
        }
        #expect(longest.prefix(4) == [2_000, 4_000, 8_000, 16_000])
        #expect(longest.last == 3_600_000)
        let half = Pause(
            after: .retry(after: nil, isServers: true), following: nil, configuration: "c", now: 0,
            random: 0.5)
        #expect(half?.until == 1_000)
    }

    @Test("pauses as long as the server says, a day at most")
    func retryAfter() {
        func until(_ seconds: Int) -> Int64? {
            Pause(
                after: .retry(after: seconds, isServers: true), following: nil, configuration: "c", now: 0,
                random: 0)?
                .until
        }
        #expect(until(30) == 30_000)
        #expect(until(0) == 1_000)
        #expect(until(.max) == 86_400_000)
    }

    @Test("a pause ends with its time, another configuration, or a clock that was set back")
    func holds() throws {
        let pause = try #require(
            Pause(after: .stop(code: "x"), following: nil, configuration: "c", now: 1_000, random: 0))
        func holds(_ now: Int64, _ configuration: String = "c") -> Bool {
            pause.holds(at: now, configuration: configuration, isNetworkNew: true)
        }
        #expect(holds(1_000))
        #expect(holds(86_400_000))
        #expect(!holds(86_401_000))
        #expect(!holds(1_000, "d"))
        #expect(!holds(-86_400_000))
    }

    @Test(
        "a pause of seconds does not become one of hours when the clock is set back, or the file is damaged")
    func clockSetBack() throws {
        let now: Int64 = 1_772_000_000_000
        let verdict = UploadVerdict.retry(after: 60, isServers: true)
        let made = try #require(
            Pause(after: verdict, following: nil, configuration: "c", now: now, random: 0))
        let pause = try #require(Pause(text: made.text))
        func holds(_ time: Int64) -> Bool { pause.holds(at: time, configuration: "c", isNetworkNew: false) }
        #expect(holds(now) && holds(now + 59_000))
        for hours in [-24, -1, 1, 24] { #expect(!holds(now + Int64(hours) * 3_600_000)) }
        for text in [
            "", "server", "server 1 2 3", "server 1 90000000 3 c", "server 1 -2 3 c",
            "server 1 2 9999999999 c",
            "other 1 2 3 c", "server 99999999999999999999 2 3 c",
        ] {
            #expect(Pause(text: text) == nil)
        }
        let far = try #require(Pause(text: "server \(Int64.max) 2000 3 c"))
        #expect(!far.holds(at: .min, configuration: "c", isNetworkNew: false))
    }

    @Test("a push that arrives ends the pause of a missing network, not one that the server wants")
    func network() throws {
        for (isServers, holds) in [(true, true), (false, false)] {
            let pause = try #require(
                Pause(
                    after: .retry(after: nil, isServers: isServers), following: nil, configuration: "c",
                    now: 0,
                    random: 1))
            #expect(pause.holds(at: 1, configuration: "c", isNetworkNew: true) == holds)
            #expect(pause.holds(at: 1, configuration: "c", isNetworkNew: false))
        }
    }
}
