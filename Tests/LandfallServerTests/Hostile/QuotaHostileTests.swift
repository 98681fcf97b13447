import Access
import DeliveryModel
import Doctor
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import PostgresClient
import Reports
import TestDatabase
import Testing

@testable import LandfallServer

/// A botnet with an extracted device key: no address posts much, and all together fill the database.
@Suite(.database, .timeLimit(.minutes(40))) struct QuotaHostileTests {
    private let database = TestDatabase.current
    /// The clock, which meets the end of no hour.
    private let ahead = TestServer.restOfLateHour

    private func event(_ number: Int) -> String {
        #"{"type":"click","notification_id":"\#(notificationID(number))"}"#
    }

    private func events(_ numbers: Range<Int>) -> String {
        "[\(numbers.map(event).joined(separator: ","))]"
    }

    private func responses(_ numbers: Range<Int>) -> String {
        let items = numbers.map { number in
            #"{"type":"response","notification_id":"\#(notificationID(number))","provider":"apns","status":200,"#
                + #""token":"\#(tokenValue(number))","topic":"com.example.shop"}"#
        }
        return "[\(items.joined(separator: ","))]"
    }

    /// Runs a server whose app has a quota, which it has read.
    private func run(
        quota: Int, _ body: @escaping @Sendable (TestServer, QuotaWatch) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var configuration = ServerConfiguration(testing: database.url)
        configuration.port = 0
        configuration.allowsUnsafeDatabase = true
        // Each address of the botnet stays below its own limit.
        configuration.limits.deviceEvents = nil
        configuration.limits.trustedProxies = [AddressRange("127.0.0.1")].compactMap { $0 }
        configuration.limits.installationRequests = nil
        let backend = try await Backend.open(
            configuration, tokenKey: testTokenKey, clock: ServerClock(ahead: ahead), logger: logger)
        let (app, keys) = try await TestServer.makeApp("shop")
        try await database.pool.withConnection { connection in
            try AppDirectory(connection).set(.named("device_quota"), to: "\(quota)", of: app)
        }
        let watch = try QuotaWatch(cell: backend.home, traffic: backend.traffic, logger: logger)
        let application = buildApplication(configuration, backend: backend, logger: logger)
        do {
            try await application.test(.ahc(.http)) { client in
                try await body(TestServer(app: app, keys: keys, port: try #require(client.port)), watch)
            }
        } catch {
            try await backend.close()
            throw error
        }
        try await backend.close()
    }

    private func clicked() async throws -> Int64 {
        try await database.count("SELECT coalesce(sum(clicked + unmatched), 0)::bigint FROM public.counted")
    }

    private func findings(_ server: TestServer) async throws -> [Finding] {
        try await database.pool.withConnection { connection in
            try DoctorReport.run(for: [server.app], on: connection, now: .now + ahead).patients
                .flatMap(\.findings)
        }
    }

    @Test("forged clicks end at the quota, without a trace; what is known to be sent is not affected")
    func forgedClicks() async throws {
        try await run(quota: 150) { server, watch async throws in
            #expect(try await server.post(responses(0..<50)).counts == [50, 0, 0])
            #expect(try await server.post(events(1_000..<1_100), as: .device).counts == [100, 0, 0])
            await watch.exchange()
            #expect(try await server.post(events(2_000..<2_050), as: .device).counts == [50, 0, 0])
            let rows = try await database.count("SELECT count(*) FROM landfall.delivery")
            for number in 3_000..<3_020 {
                let rejected = try await server.post(event(number), as: .device)
                #expect(rejected.status == 429)
                #expect(rejected.code == "quota_exceeded")
                #expect(
                    rejected.headers[.retryAfter].flatMap { Int($0) }.map { (1...3_900).contains($0) } == true
                )
            }
            #expect(try await database.count("SELECT count(*) FROM landfall.delivery") == rows)
            #expect(try await database.count("SELECT count(*) FROM landfall.quarantined_item") == 0)

            // Matched events are recorded, even next to one that is not; servers may post anything.
            #expect(try await server.post(events(0..<20), as: .device).counts == [20, 0, 0])
            #expect(try await server.post("[\(event(20)),\(event(4_000))]", as: .device).status == 429)
            #expect(try await server.post(event(20), as: .device).counts == [0, 1, 0])
            #expect(try await server.post(event(5_000)).counts == [1, 0, 0])
            #expect(try await database.count("SELECT sum(clicked)::bigint FROM public.counted") == 21)

            await watch.exchange()
            let finding = try #require(try await findings(server).first { $0.id == .quotaExceeded })
            #expect(finding.sentence.hasPrefix("21 events about notifications without a response"))
            let metrics = try await server.send(.get, "/metrics", as: nil).text
            #expect(metrics.contains(#"landfall_quota_exceeded_total{subject="events"} 21"#))
        }
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
    }

    @Test("copies of forged events in one request, and with true ones, are rejected together")
    func copies() async throws {
        try await run(quota: 100) { server, watch async throws in
            #expect(try await server.post(responses(0..<50)).counts == [50, 0, 0])
            #expect(try await server.post(events(1_000..<1_100), as: .device).counts == [100, 0, 0])
            let copies = Array(repeating: event(2_000), count: 40) + Array(repeating: event(2_001), count: 40)
            #expect(try await server.post("[\(copies.joined(separator: ","))]", as: .device).status == 429)
            let mixed = [event(1), event(2_000), event(1), event(2_000), event(1_000), event(2)]
            #expect(try await server.post("[\(mixed.joined(separator: ","))]", as: .device).status == 429)
            #expect(try await server.post(events(1..<3), as: .device).counts == [0, 2, 0])
            // What was recorded before the quota was spent is a duplicate, as ever.
            #expect(try await server.post(event(1_000), as: .device).counts == [0, 1, 0])
            #expect(try await database.count("SELECT count(*) FROM landfall.delivery") == 150)
            let metrics = try await server.send(.get, "/metrics", as: nil).text
            #expect(metrics.contains(#"landfall_quota_exceeded_total{subject="events"} 82"#))
        }
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
    }

    @Test("one address cannot use up the quota of all others", arguments: ["192.0.2.", "2001:db8:1:"])
    func oneAddress(network: String) async throws {
        @Sendable func client(_ address: String) -> HTTPFields {
            HTTPField.Name("X-Forwarded-For").map { [$0: address] } ?? [:]
        }
        try await run(quota: 1_200) { server, watch async throws in
            // An IPv6 site counts as one address.
            @Sendable func attacker(_ number: Int) -> HTTPFields {
                client(network.hasSuffix(":") ? "\(network)\(number)::1" : "\(network)1")
            }
            @Sendable func post(_ numbers: Range<Int>, from client: HTTPFields) async throws -> Int {
                try await server.post(events(numbers), as: .device, headers: client).status
            }
            for number in 0..<6 {
                let numbers = number * 100..<number * 100 + 100
                #expect(try await post(numbers, from: attacker(number)) == 200)
            }
            for number in 6..<20 {
                #expect(try await post(number * 100..<number * 100 + 100, from: attacker(number)) == 429)
            }
            #expect(try await post(9_000..<9_100, from: client("198.51.100.7")) == 200)
            #expect(try await post(9_100..<9_200, from: client("2001:db8:2::1")) == 200)
            #expect(try await database.count("SELECT count(*) FROM landfall.delivery") == 800)
            // What is confirmed counts, wherever it comes from.
            #expect(try await server.post(responses(9_500..<9_510)).status == 200)
            #expect(try await post(9_500..<9_510, from: attacker(0)) == 200)
        }
    }

    @Test("what a site posts at once counts while it waits")
    func atOnce() async throws {
        try await run(quota: 1_200) { server, watch async throws in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        var client: HTTPFields = [:]
                        if let name = HTTPField.Name("X-Forwarded-For") {
                            client[name] = "2001:db8:1:\(number)::1"
                        }
                        let numbers = number * 100..<number * 100 + 100
                        return try await server.post(
                            events(numbers), as: .device, headers: client
                        ).status
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses.keys.allSatisfy { $0 == 200 || $0 == 429 })
            // The request that passes half of the quota is the last one.
            #expect((6...7).contains(statuses[200, default: 0]), "\(statuses)")
        }
    }

    @Test("the quota follows the app's responses of the past day, and another server's use counts")
    func volume() async throws {
        try await run(quota: 10) { server, watch async throws in
            #expect(try await server.post(responses(0..<60)).status == 200)
            #expect(try await server.post(events(1_000..<1_005), as: .device).status == 200)
            await watch.exchange()
            #expect(try await server.post(events(2_000..<2_054), as: .device).status == 200)
            #expect(try await server.post(event(2_054), as: .device).status == 200)
            #expect(try await server.post(event(2_055), as: .device).status == 429)
        }
        try await database.execute("UPDATE landfall.app SET slug = 'first'")
        // Of another cell, cell 0 knows the name, too.
        try await database.front.execute("UPDATE landfall.app_cell SET slug = 'first'")
        try await run(quota: 100) { server, watch async throws in
            #expect(try await server.post(event(7_000), as: .device).status == 200)
            await watch.exchange()
            try await database.execute(
                "UPDATE landfall.device_quota_use SET unmatched_events = 100 WHERE app_id = \(server.app.appID)"
            )
            #expect(try await server.post(event(7_001), as: .device).status == 200)
            await watch.exchange()
            #expect(try await server.post(event(7_002), as: .device).status == 429)
        }
    }

    @Test("forged registrations end at the quota; known installations and servers register as before")
    func forgedRegistrations() async throws {
        try await run(quota: 5) { server, watch async throws in
            @Sendable func register(_ device: UUID, _ token: Int, as kind: APIKey.Kind = .device) async throws
                -> Int
            {
                let body = #"{"tokens":[{"value":"\#(tokenValue(token))","topic":"com.example.shop"}]}"#
                return try await server.put(device, body, as: kind).status
            }
            let phones = (0..<5).map { _ in UUID() }
            for (number, phone) in phones.enumerated() { #expect(try await register(phone, number) == 200) }
            await watch.exchange()
            for number in 10..<20 { #expect(try await register(UUID(), number) == 429) }
            for (number, phone) in phones.enumerated() { #expect(try await register(phone, number) == 200) }
            #expect(try await register(UUID(), 30, as: .server) == 200)
            // A known installation with a new token is not a new one.
            #expect(try await register(phones[0], 40) == 200)
            #expect(try await database.count("SELECT count(*) FROM landfall.installation") == 6)
            await watch.exchange()
            let finding = try #require(try await findings(server).first { $0.id == .quotaExceeded })
            #expect(finding.sentence.hasPrefix("10 registrations of new installations"))
        }
    }
}
