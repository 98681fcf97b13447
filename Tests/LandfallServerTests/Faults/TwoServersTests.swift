import Access
import Foundation
import HummingbirdTesting
import LandfallServer
import PostgresClient
import Reports
import TestDatabase
import Testing

/// Several servers on one database.
@Suite(.database, .serialized, .timeLimit(.minutes(40))) struct TwoServersTests {
    private static let bodies = 40

    /// Runs two servers that know the same app.
    private func run(_ body: @escaping @Sendable (TestServer, TestServer) async throws -> Void) async throws {
        let unlimited: @Sendable (inout ServerConfiguration) -> Void = { $0.limits.deviceEvents = nil }
        try await TestServer.run(app: "shop", configure: unlimited) { first async throws in
            try await TestServer.run(app: "other", configure: unlimited) {
                second async throws in
                try await body(first, second.with(keys: first.keys, app: first.app))
            }
        }
    }

    /// Registers devices that take each other's tokens over, again and again.
    private func register(_ server: TestServer, _ devices: [UUID], round: Int) async throws {
        for (position, device) in devices.enumerated() {
            let token = tokenValue((position + round) % 97)
            let body = """
                {"platform":"ios","permission":"authorized","tokens":[{"value":"\(token)","topic":"com.example.shop"}]}
                """
            #expect(try await server.put(device, body, as: .server).status == 200)
        }
    }

    /// Responses that retire tokens, about notifications of their own.
    private func rejections(_ numbers: [Int]) -> String {
        let events = numbers.map { number in
            """
            {"type":"response","notification_id":"\(notificationID(1_000_000 + number))","provider":"apns",\
            "status":410,"reason":"Unregistered","timestamp":\(Instant.now.millisecondsSinceEpoch),\
            "token":"\(tokenValue(number % 97))","topic":"com.example.shop","campaign":"spring"}
            """
        }
        return "[\(events.joined(separator: ","))]"
    }

    @Test("the same events in opposite orders, with tokens that change hands, count exactly once")
    func oppositeOrders() async throws {
        let devices = (0..<30).map { _ in UUID() }
        try await run { first, second async throws in
            let storms = [Storm(server: first), Storm(server: second)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await storms[0].post(0..<Self.bodies) }
                group.addTask {
                    for number in (0..<Self.bodies).reversed() {
                        try await storms[1].post(number..<number + 1)
                    }
                }
                for (server, isReversed) in [(first, false), (second, true)] {
                    group.addTask {
                        let order = isReversed ? devices.reversed() : devices
                        let tokens = isReversed ? Array((0..<97).reversed()) : Array(0..<97)
                        for round in 0..<4 {
                            try await register(server, order, round: round)
                            #expect(try await server.post(rejections(tokens)).status == 200)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for storm in storms {
                let strange = await storm.tally.strange
                #expect(strange == [])
                #expect(await storm.tally.rejected == 0)
            }
        }
        let database = TestDatabase.current
        let posted = Int64(Self.bodies * Storm.notificationsPerBody)
        let sums = "SELECT sum(attempted)::bigint, sum(arrived)::bigint FROM public.counted"
        let counted = try await database.query(sums) { [try $0.get(0, as: Int64.self), try $0.get(1)] }
        #expect(counted == [[posted + 97, posted]])
        let verification = try await database.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
    }

    /// A transaction locks two rows in the order opposite to the writer's, and the writer detects the
    /// deadlock.
    @Test(
        "a batch that PostgreSQL chooses as the victim of a deadlock is retried, and its client gets 200")
    func deadlock() async throws {
        let database = TestDatabase.current
        // The writer checks first, when the other session has long been waiting.
        try await database.execute("ALTER DATABASE \(database.name) SET deadlock_timeout = '2s'")
        try await TestServer.run { server async throws in
            let response = { (number: Int, status: Int) in
                """
                {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":\(status),\
                "token":"\(tokenValue(number))","topic":"com.example.shop","campaign":"spring"}
                """
            }
            #expect(try await server.post("[\(response(1, 429)),\(response(2, 429))]").counts == [2, 0, 0])
            let other = try database.connect()
            let lock = { (number: Int) in
                try other.query(
                    SQLFile(
                        name: "test/lock",
                        text: """
                            SELECT 1 FROM landfall.delivery
                            WHERE notification_id = $1::text::uuid FOR UPDATE
                            """), [.value(notificationID(number))])
            }
            try other.execute(script: SQLFile(name: "test/patient", text: "SET deadlock_timeout = '10min'"))
            try other.execute(script: SQLFile(name: "test/begin", text: "BEGIN"))
            _ = try lock(2)
            async let posted = server.post("[\(response(1, 200)),\(response(2, 200))]")
            let waiting = """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'transactionid'
                """
            try await database.wait(until: waiting)
            _ = try lock(1)
            try other.execute(script: SQLFile(name: "test/commit", text: "COMMIT"))
            #expect(try await posted.counts == [2, 0, 0])
        }
        let deadlocks = """
            SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()
            """
        try await database.wait(until: deadlocks)
        #expect(
            try await database.count("SELECT sum(accepted)::bigint FROM public.counted") == 2)
    }
}
