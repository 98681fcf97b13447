import Access
import DeliveryModel
import Doctor
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallServer
import PostgresClient
import TestDatabase
import Testing

/// Clients with an extracted device key that register invented token values, so that senders push to them.
@Suite(.database, .timeLimit(.minutes(40))) struct TokenHostileTests {
    private let database = TestDatabase.current

    private func run(
        quota: Int = 10_000, noise: RateLimit? = nil,
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.run(
            settings: ["device_quota": "\(quota)"],
            configure: {
                $0.limits.deviceEvents = noise
                $0.limits.installationRequests = nil
            }, body)
    }

    /// A registration of invented values, each under a topic of its own, so that none replaces another.
    private static func invented(_ numbers: Range<Int>, kind: String = "alert") -> String {
        let tokens = numbers.map {
            #"{"value":"\#(tokenValue($0))","kind":"\#(kind)","topic":"com.example.t\#($0)"}"#
        }
        return #"{"platform":"ios","tokens":[\#(tokens.joined(separator: ","))]}"#
    }

    private static func acceptance(of number: Int, topic: String = "com.example.shop") -> String {
        #"{"type":"response","notification_id":"\#(notificationID(number))","provider":"apns","status":200,"#
            + #""token":"\#(tokenValue(number))","topic":"\#(topic)"}"#
    }

    private func tokenCount() async throws -> Int64 {
        try await database.count("SELECT count(*) FROM landfall.token")
    }

    @Test(
        "installations that register 50 random values at a time add a few each, and senders see the genuine ones"
    )
    func rotation() async throws {
        try await run { server async throws in
            for phone in 0..<20 {
                #expect(try await server.put(UUID(), registration(tokenValue(phone))).status == 200)
            }
            for attacker in 1...30 {
                let device = UUID()
                let first = attacker * 1_000
                #expect(try await server.put(device, registration(tokenValue(first))).status == 200)
                for request in 1...10 {
                    let numbers = first + request * 50..<first + request * 50 + 50
                    let rejected = try await server.put(device, Self.invented(numbers))
                    #expect(rejected.status == 429)
                    #expect(rejected.text.contains("too many new values of kind alert"))
                }
            }
            #expect(try await server.allValues().count == 50)
            #expect(try await tokenCount() == 50)
        }
    }

    @Test("one value at a time, or of many kinds, gets an installation two of each kind into the feeds")
    func oneByOne() async throws {
        try await run { server async throws in
            let device = UUID()
            var statuses: [Int] = []
            for number in 0..<20 {
                statuses.append(try await server.put(device, Self.invented(number..<number + 1)).status)
            }
            #expect(statuses == Array(repeating: 200, count: 5) + Array(repeating: 429, count: 15))
            #expect(try await server.put(device, Self.invented(100..<104, kind: "voip")).status == 200)
            #expect(try await server.allValues().count == 4)
            #expect(try await server.allValues("state=any").count == 4)
            let changes = try await server.changes()
            #expect(changes.changes.count == 4)
            // A reader's position passes the rows that are left out.
            #expect(try await server.changes(after: changes.nextAfter).changes.isEmpty)
            #expect(try await server.changes(limit: 1).changes.count == 1)
        }
    }

    @Test("many kinds make no difference: six values of an installation are believed")
    func manyKinds() async throws {
        try await run { server async throws in
            let kinds = TokenKind.allCases.filter { $0.provider == "apns" }.prefix(8)
            let tokens = kinds.enumerated().map { number, kind in
                #"{"value":"\#(tokenValue(number))","kind":"\#(kind.rawValue)","topic":"com.example.shop"}"#
            }
            let body = #"{"platform":"ios","tokens":[\#(tokens.joined(separator: ","))]}"#
            #expect(try await server.put(UUID(), body).status == 200)
            #expect(try await server.allValues().count == min(6, kinds.count))
        }
    }

    @Test("values that one installation passes on to another are believed no more than its own")
    func passedOn() async throws {
        try await run { server async throws in
            let (first, second) = (UUID(), UUID())
            for round in 0..<3 {
                let values = Self.invented(2 * round..<2 * round + 2)
                #expect(try await server.put(first, values).status == 200)
                #expect(try await server.put(second, values).status == 200)
            }
            #expect(try await server.allValues().count == 2)
        }
    }

    @Test("an honest phone is in the feeds at once, and stays there with each new value")
    func honest() async throws {
        try await run { server async throws in
            let phone = UUID()
            for number in 0..<4 {
                #expect(try await server.put(phone, registration(tokenValue(number))).status == 200)
                #expect(try await server.allValues() == [tokenValue(number)])
                #expect(try await server.changes().changes.filter { $0.to == "active" }.count == number + 1)
            }
            // A second topic, and a kind of its own.
            let tokens =
                #"{"tokens":[{"value":"\#(tokenValue(3))","topic":"com.example.shop"},"#
                + #"{"value":"\#(tokenValue(9))","topic":"com.example.shop.watch"},"#
                + #"{"value":"\#(tokenValue(10))","kind":"voip","topic":"com.example.shop.voip"}]}"#
            #expect(try await server.put(phone, tokens).status == 200)
            #expect(try await server.allValues().count == 3)
        }
    }

    @Test("once a push to one of its tokens is accepted, the device's other values are in the feeds, too")
    func proof() async throws {
        try await run { server async throws in
            let phone = UUID()
            #expect(try await server.put(phone, Self.invented(0..<4)).status == 200)
            let believed = Set(try await server.allValues())
            #expect(believed.count == 2)
            let place = try await server.changes().nextAfter
            #expect(try await server.post(Self.acceptance(of: 0, topic: "com.example.t0")).status == 200)
            #expect(try await server.put(phone, Self.invented(0..<4)).status == 200)
            #expect(Set(try await server.allValues()) == Set((0..<4).map { tokenValue($0) }))
            // A sender that follows the changes learns of them.
            let values = try await server.changes(after: place).changes.compactMap(\.value)
            #expect(Set(values) == Set((0..<4).map { tokenValue($0) }).subtracting(believed))
        }
    }

    @Test(
        "a value that waits for its proof is in the feed once a push to it was accepted, or a server registers it"
    )
    func otherProofs() async throws {
        try await run { server async throws in
            let (phone, other) = (UUID(), UUID())
            #expect(try await server.put(phone, Self.invented(0..<3)).status == 200)
            #expect(try await server.put(other, Self.invented(10..<13)).status == 200)
            let believed = try await server.allValues()
            #expect(believed.count == 4)
            let number = try #require((0..<3).first { !believed.contains(tokenValue($0)) })
            let acceptance = Self.acceptance(of: number, topic: "com.example.t\(number)")
            #expect(try await server.post(acceptance).status == 200)
            let place = try await server.tokens().changesAfter
            #expect(try await server.put(other, Self.invented(10..<13), as: .server).status == 200)
            #expect(try await server.allValues().count == 6)
            // A sender that follows the changes never had the value.
            let new = Set((10..<13).map(tokenValue)).subtracting(believed)
            #expect(
                Set(try await server.changes(after: place).changes.compactMap(\.value)).isSuperset(of: new))
        }
    }

    @Test("new values have a quota of their app, and proven installations do not need it")
    func quota() async throws {
        try await run(quota: 10) { server async throws in
            let phone = UUID()
            #expect(try await server.put(phone, registration(tokenValue(0))).status == 200)
            #expect(try await server.post(Self.acceptance(of: 0)).status == 200)
            var statuses: [Int] = []
            for number in 1..<10 {
                statuses.append(
                    try await server.put(UUID(), Self.invented(number * 10..<number * 10 + 5)).status)
            }
            // Four values for each unit of the quota, whether their installations are new or not.
            #expect(statuses == Array(repeating: 200, count: 8) + [429])
            #expect(try await server.put(UUID(), #"{"platform":"ios"}"#).status == 200)
            let known = try await database.query(
                "SELECT device_id::text FROM landfall.installation ORDER BY installation_id DESC LIMIT 1"
            ) {
                try $0.get(0, as: String.self)
            }
            let attacker = try #require(known.first.flatMap { UUID(uuidString: $0) })
            let rejected = try await server.put(attacker, Self.invented(500..<503, kind: "voip"))
            #expect(rejected.status == 429)
            #expect(rejected.code == "quota_exceeded")
            #expect(try await server.put(phone, registration(tokenValue(700))).status == 200)
            #expect(try await server.put(attacker, Self.invented(600..<601), as: .server).status == 200)
        }
    }

    @Test("an address pays for the values of unproven installations, and not for those of proven ones")
    func noise() async throws {
        try await run(noise: RateLimit(perSecond: 0.001, burst: 10)) { server async throws in
            let phones = (0..<4).map { _ in UUID() }
            for (number, phone) in phones.enumerated() {
                #expect(try await server.put(phone, registration(tokenValue(number))).status == 200)
                #expect(try await server.post(Self.acceptance(of: number)).status == 200)
            }
            for round in 1...4 {
                for (number, phone) in phones.enumerated() {
                    let value = tokenValue(round * 10 + number)
                    #expect(try await server.put(phone, registration(value)).status == 200)
                }
            }
            let attacker = UUID()
            #expect(try await server.put(attacker, registration(tokenValue(900))).status == 200)
            #expect(try await server.put(attacker, Self.invented(901..<905)).status == 200)
            #expect(try await server.put(attacker, Self.invented(910..<914, kind: "voip")).status == 200)
            #expect(try await server.put(attacker, registration(tokenValue(900))).status == 429)
        }
    }

    @Test("the doctor reports it if several installations register more values than they need")
    func doctor() async throws {
        try await run { server async throws in
            for attacker in 0..<5 {
                let first = attacker * 10
                #expect(try await server.put(UUID(), Self.invented(first..<first + 5)).status == 200)
                let findings = try await database.pool.withConnection { connection in
                    try DoctorReport.run(for: [server.app], on: connection, now: .now + .hours(2)).findings
                }
                #expect(findings.contains { $0.id == .unprovenTokens } == (attacker == 4))
            }
        }
    }
}
