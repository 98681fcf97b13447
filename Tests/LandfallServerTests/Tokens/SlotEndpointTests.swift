import Access
import Basics
import Foundation
import TestDatabase
import Testing

/// Several active values in one slot, and dead tokens that something keeps active.
@Suite(.database) struct SlotEndpointTests {
    private let phone = UUID()

    @Test("values that a registration lists together are all in use, until the device registers without one")
    func together() async throws {
        let (first, second) = (
            listed(tokenValue(1), "live_activity_update"), listed(tokenValue(2), "live_activity_update")
        )
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, #"{"tokens":[\#(first)]}"#)
            #expect(
                try await server.put(phone, #"{"tokens":[\#(first),\#(second)]}"#).changes == [
                    "refreshed", "registered",
                ])
            #expect(Set(try await server.allValues()) == [tokenValue(1), tokenValue(2)])
            _ = try await server.put(phone, #"{"tokens":[\#(second)]}"#)
            #expect(try await server.allValues() == [tokenValue(2)])
            #expect(try await server.rules() == ["registered", "registered", "rotated"])
        }
    }

    @Test("of several new values, the first in the list replaces the old one, whatever their fingerprints")
    func listOrder() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, #"{"tokens":[\#(listed(tokenValue(1)))]}"#, as: .server)
            let changes = try await server.put(
                phone,
                #"{"tokens":[\#(listed(tokenValue(2))),\#(listed(tokenValue(3))),\#(listed(tokenValue(4)))]}"#,
                as: .server
            ).changes
            #expect(changes == ["rotated", "registered", "registered"])
            #expect(try await server.tokens().tokens.count == 3)
        }
    }

    @Test("a value that the app lists under its topic now moves to that slot, and does not retire")
    func moved() async throws {
        try await TestServer.run { server async throws in
            _ = try await server.put(phone, #"{"tokens":[\#(listed(tokenValue(1), topic: ""))]}"#)
            let tokens = "\(listed(tokenValue(1))),\(listed(tokenValue(2), topic: ""))"
            #expect(
                try await server.put(phone, #"{"tokens":[\#(tokens)]}"#).changes == [
                    "refreshed", "registered",
                ])
            #expect(Set(try await server.allValues()) == [tokenValue(1), tokenValue(2)])
            // The first value names its topic now.
            #expect(try await server.rules() == ["registered", "registered", "registered"])
        }
    }

    @Test("two values that alternate from visit to visit both stay in use, and the ledger does not grow")
    func alternating() async throws {
        let values = ["a", "b"].map { "https://updates.push.services.mozilla.com/wpush/v2/\($0)" }
        try await TestServer.run { server async throws in
            for visit in 0..<20 {
                _ = try await server.backfill(
                    phone, listed(values[visit % 2], "web_push"), at: .now - .hours(Int64(20 - visit)))
            }
            #expect(Set(try await server.allValues()) == Set(values))
            #expect(try await server.audience() == 1)
            let rules = try await server.rules()
            #expect(rules == ["registered", "registered", "rotated", "revived", "rotated", "revived"])
        }
    }

    @Test("a value that came back once and is replaced again retires")
    func replaced() async throws {
        try await TestServer.run { server async throws in
            for value in [1, 2, 1, 3] { _ = try await server.put(phone, registration(tokenValue(value))) }
            #expect(try await server.allValues() == [tokenValue(3)])
        }
    }

    @Test(
        "acceptances after a death bring back tokens that apps seldom register",
        arguments: [
            ("hms", #""status":80300007"#, "", #""status":200,"reason":"80000000""#),
            (
                "expo", #""status":"error","reason":"DeviceNotRegistered""#, #","final":true"#,
                #""status":"ok""#
            ),
        ])
    func wayBack(provider: String, dead: String, final: String, accepted: String) async throws {
        let push = #""provider":"\#(provider)","token":"IQAAAACy0_1","#
        try await TestServer.run { server async throws in
            try await server.respond(push + accepted, sentAt: .now - .days(2))
            try await server.respond(push + dead + final, sentAt: .now - .days(1))
            #expect(try await server.states() == ["\(provider) retired/unregistered"])
            for _ in 0..<5 { try await server.respond(push + accepted) }
            #expect(try await server.states() == ["\(provider) active"])
        }
    }

    @Test(
        "a 410 that APNs repeats for every push, with a time before the registration, is not ignored indefinitely"
    )
    func repeatedDeath() async throws {
        let start = Instant.now - .days(10)
        try await TestServer.run { server async throws in
            for day: Int64 in 0..<10 {
                let at = start + .days(day)
                try await server.backfill(phone, listed(tokenValue(1)), at: at)
                try await server.respond(
                    """
                    "provider":"apns","topic":"com.example.shop","status":410,"reason":"Unregistered",\
                    "timestamp":\((start - .days(1)).millisecondsSinceEpoch),"token":"\(tokenValue(1))"
                    """, sentAt: at + .hours(6))
                let isExpected =
                    try await server.states() == [
                        day < 7 ? "alert active" : "alert suspect/late_410_repeated"
                    ]
                #expect(isExpected, "on day \(day)")
            }
        }
    }

    @Test(
        "a browser that says at every visit that it has no subscription keeps itself alive, not its lost token"
    )
    func tokenless() async throws {
        let start = Instant.now - .days(30)
        let endpoint = "https://web.push.apple.com/QA"
        try await TestServer.run { server async throws in
            try await server.backfill(phone, listed(endpoint + "1", "web_push"), at: start)
            for day: Int64 in 3..<9 { try await server.backfill(phone, "", at: start + .days(day)) }
            #expect(try await server.audience() == 1)
            for day: Int64 in 9..<20 { try await server.backfill(phone, "", at: start + .days(day)) }
            #expect(try await server.states() == ["web_push stale/unlisted"])
            #expect(try await server.audience() == 0)
            try await server.backfill(phone, listed(endpoint + "2", "web_push"), at: start + .days(21))
            #expect(try await server.states() == ["web_push retired/rotated", "web_push active"])
            #expect(try await server.audience() == 1)
        }
    }

    @Test("a check-in that says nothing about tokens takes none of them out of use")
    func checkIn() async throws {
        let start = Instant.now - .days(30)
        try await TestServer.run { server async throws in
            try await server.backfill(phone, listed(tokenValue(1)), at: start)
            for day: Int64 in 1..<20 {
                let at = (start + .days(day)).millisecondsSinceEpoch
                _ = try await server.put(phone, #"{"registered_at":\#(at)}"#, as: .server)
            }
            #expect(try await server.states() == ["alert active"])
        }
    }
}
