import Access
import Foundation
import HummingbirdTesting
import TestDatabase
import Testing

@testable import LandfallServer

/// A crowd behind one address, and attackers with an extracted device key.
@Suite(.database, .serialized, .timeLimit(.minutes(40))) struct NoiseHostileTests {
    private static let (carrier, attacker, batcher) = ("192.0.2.1", "198.51.100.66", "198.51.100.67")
    private static let connections = 60

    /// Runs a server that takes each client's address from `X-Forwarded-For`, and for whose limits no time
    /// passes: however slow the machine is, nothing is refilled.
    ///
    /// - Parameter waiting: the number of events of one address that may wait.
    private func run(
        waiting: Int = ServerConfiguration.Limits().deviceWaiting,
        _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        let start = ContinuousClock.now
        try await TestServer.run(
            configure: {
                $0.limits.trustedProxies = [AddressRange("127.0.0.0/8")].compactMap { $0 }
                $0.limits.steadyTime = { start }
                $0.limits.deviceWaiting = waiting
            }, body)
    }

    private static func post(_ body: String, from address: String, _ server: TestServer) -> String {
        server.head(
            "POST /v1/events", as: .device, "Content-Length: \(body.utf8.count)",
            "X-Forwarded-For: \(address)") + "\r\n" + body
    }

    private static func event(_ type: String, _ number: Int) -> String {
        #"{"type":"\#(type)","notification_id":"\#(notificationID(number))"}"#
    }

    /// Records pushes that were sent and accepted.
    private func send(_ numbers: Range<Int>, _ server: TestServer) async throws {
        let items = numbers.map { number in
            """
            {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\
            "token":"\(tokenValue(number))","topic":"com.example.shop","campaign":"spring"}
            """
        }
        #expect(try await server.post("[\(items.joined(separator: ","))]").counts == [numbers.count, 0, 0])
    }

    /// Sends each request once, over many connections, and returns the number of responses by status.
    private static func storm(
        _ count: Int, _ server: TestServer, _ request: @escaping @Sendable (Int) -> String
    ) async throws -> [Int: Int] {
        try await withThrowingTaskGroup(of: [Int: Int].self) { group in
            for first in 0..<connections {
                group.addTask {
                    try await RawConnection.open(server) { connection in
                        var statuses: [Int: Int] = [:]
                        for number in stride(from: first, to: count, by: connections) {
                            try await connection.send(request(number))
                            statuses[try await connection.response().status, default: 0] += 1
                        }
                        return statuses
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }

    @Test("3,000 phones behind one address post their arrivals at once, each once, and none is rejected")
    func crowd() async throws {
        try await run { server async throws in
            try await send(0..<3_000, server)
            let arrivals = try await Self.storm(3_000, server) {
                Self.post(Self.event("arrival", $0), from: Self.carrier, server)
            }
            #expect(arrivals == [200: 3_000])
            // Their network lost the responses, so they post again.
            let repeats = try await Self.storm(3_000, server) {
                Self.post(Self.event("arrival", $0), from: Self.carrier, server)
            }
            #expect(repeats == [200: 3_000])
        }
        #expect(
            try await TestDatabase.current.count("SELECT sum(arrived)::bigint FROM public.counted") == 3_000)
    }

    /// The most events that pay and yet get through: those of the burst, and those that wait while the last
    /// of them is settled.
    private static let bound = 100 + connections

    @Test("10,000 forged clicks from one address are bounded, one by one or in batches; others are served")
    func forgedClicks() async throws {
        try await run { server async throws in
            try await send(0..<200, server)
            async let others = Self.storm(200, server) {
                Self.post(Self.event("click", $0), from: Self.carrier, server)
            }
            let forged = try await Self.storm(10_000, server) {
                Self.post(Self.event("click", 1_000 + $0), from: Self.attacker, server)
            }
            #expect(try await others == [200: 200])
            #expect(forged.values.reduce(0, +) == 10_000)
            #expect(Set(forged.keys) == [200, 429])
            #expect(forged[200, default: 0] <= Self.bound, "\(forged)")

            let batches = try await Self.storm(300, server) { number in
                Self.post(Self.batch(100_000 + number * 100), from: Self.batcher, server)
            }
            // A batch is recorded as a whole, and the first one that is settled has spent the burst. Each
            // connection may have one more in flight then.
            #expect(Set(batches.keys) == [200, 429])
            #expect((1...Self.connections).contains(batches[200, default: 0]), "\(batches)")
            try await send(200..<300, server)
        }
        let unmatched = "SELECT coalesce(sum(unmatched), 0)::bigint FROM public.counted"
        let most = Int64(Self.bound + 100 * Self.connections)
        #expect(try await TestDatabase.current.count(unmatched) <= most)
    }

    /// A request with 100 clicks.
    private static func batch(_ first: Int) -> String {
        "[\((first..<first + 100).map { event("click", $0) }.joined(separator: ","))]"
    }

    @Test("a request with more events than may wait is recorded if it waits alone, otherwise 429")
    func waiting() async throws {
        try await run(waiting: 99) { server async throws in
            try await send(0..<100, server)
            let alone = try await Self.storm(1, server) {
                Self.post(Self.batch($0), from: Self.attacker, server)
            }
            #expect(alone == [200: 1])
            let forged = try await Self.storm(120, server) {
                Self.post(Self.batch(1_000 + $0 * 100), from: Self.attacker, server)
            }
            // The first one that is settled has spent the burst.
            #expect(forged[200, default: 0] <= 1 && forged[429, default: 0] >= 119, "\(forged)")
        }
    }

    @Test(
        "1,000 forged registrations from one address are bounded; known phones and other addresses register")
    func forgedRegistrations() async throws {
        try await run { server async throws in
            @Sendable func registration(_ device: UUID, _ token: Int, from address: String) -> String {
                let body = #"{"tokens":[{"value":"\#(tokenValue(token))","topic":"com.example.shop"}]}"#
                return server.head(
                    "PUT /v1/devices/\(device)", as: .device, "Content-Length: \(body.utf8.count)",
                    "X-Forwarded-For: \(address)") + "\r\n" + body
            }
            let phones = (0..<90).map { _ in UUID() }
            let new = try await Self.storm(90, server) {
                registration(phones[$0], $0, from: Self.carrier)
            }
            #expect(new == [200: 90])
            let forged = try await Self.storm(1_000, server) {
                registration(UUID(), 10_000 + $0, from: Self.attacker)
            }
            #expect(Set(forged.keys) == [200, 429])
            #expect(forged[200, default: 0] <= Self.bound, "\(forged)")
            // Each phone starts its app three more times, behind one address.
            let known = try await Self.storm(270, server) {
                registration(phones[$0 % 90], $0 % 90, from: Self.carrier)
            }
            #expect(known == [200: 270])
            // One installation again and again pays nothing, and has a limit of its own.
            let flood = try await Self.storm(300, server) { _ in
                registration(phones[0], 0, from: Self.carrier)
            }
            #expect(flood[200, default: 0] <= 30, "\(flood)")
            #expect(flood[429] != nil)
        }
    }

    @Test("one true event, repeated without end, pays after a few times")
    func replayed() async throws {
        try await run { server async throws in
            try await send(0..<1, server)
            let replayed = try await Self.storm(1_000, server) { _ in
                Self.post(Self.event("click", 0), from: Self.attacker, server)
            }
            #expect(replayed[200, default: 0] <= Self.bound + 10, "\(replayed)")
            #expect(replayed[429] != nil)
        }
    }

    @Test("a request with a device key has at most 100 items and 256 kB")
    func large() async throws {
        try await TestServer.run { server async throws in
            let items = (0..<101).map { Self.event("click", $0) }
            let many = try await server.post("[\(items.joined(separator: ","))]", as: .device)
            #expect(many.status == 413)
            #expect(many.code == "too_many_items")
            #expect(try await server.post("[\(items.joined(separator: ","))]").counts == [101, 0, 0])
            let spaces = [UInt8](repeating: 0x20, count: 256 * 1_024)
            let large = try await server.post(spaces + Array("[]".utf8), as: .device)
            #expect(large.status == 413)
            #expect(large.code == "body_too_large")
            #expect(try await server.post(spaces + Array("[]".utf8)).status == 200)
        }
    }
}
