import Access
import Foundation
import PostgresClient
import Reports
import TestDatabase
import Testing

/// Events about notifications that went to other devices: forged with a leaked id, or posted in good faith
/// with an id that the sender gave to many.
@Suite(.database) struct MisdirectedHostileTests {
    private let phones = (0..<4).map { _ in UUID() }

    private func register(_ number: Int, _ server: TestServer) async throws {
        let response = try await server.put(
            phones[number], #"{"tokens":[{"value":"\#(tokenValue(number))","topic":"com.example.shop"}]}"#)
        #expect(response.status == 200)
    }

    private func response(_ id: Int, to phone: Int) -> String {
        """
        {"type":"response","notification_id":"\(notificationID(id))","provider":"apns","status":200,\
        "token":"\(tokenValue(phone))","topic":"com.example.shop","campaign":"spring"}
        """
    }

    private func report(_ type: String, _ id: Int, by phone: UUID) -> String {
        #"{"type":"\#(type)","notification_id":"\#(notificationID(id))","device_id":"\#(phone)"}"#
    }

    /// Attempted, confirmed, clicked, misdirected.
    private func counts() async throws -> [Int64] {
        try await TestDatabase.current.query(
            """
            SELECT coalesce(sum(attempted), 0)::bigint, coalesce(sum(confirmed), 0)::bigint,
                   coalesce(sum(clicked), 0)::bigint, coalesce(sum(misdirected), 0)::bigint
            FROM public.counted
            """, []
        ) { row in try (0..<4).map { try row.get($0, as: Int64.self) } }.first ?? []
    }

    private func expectVerified() async throws {
        let verification = try await TestDatabase.current.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differences == [])
    }

    @Test(
        "clicks with a leaked notification id confirm nothing, whether they come before or after the response"
    )
    func leakedID() async throws {
        try await TestServer.run { server async throws in
            for number in 0..<2 { try await register(number, server) }
            #expect(
                try await server.post(report("click", 1, by: phones[1]), as: .device).counts == [1, 0, 0])
            for id in 1...2 { #expect(try await server.post(response(id, to: 0)).counts == [1, 0, 0]) }
            #expect(
                try await server.post(report("click", 2, by: phones[1]), as: .device).counts == [1, 0, 0])
            #expect(try await counts() == [2, 0, 0, 2])
            for _ in 0..<3 {
                let clicks = (1...2).map { report("click", $0, by: phones[1]) }
                #expect(
                    try await server.post("[\(clicks.joined(separator: ","))]", as: .device).counts == [
                        0, 2, 0,
                    ])
            }
            #expect(try await counts() == [2, 0, 0, 2])
            // The owner's own click still counts.
            #expect(
                try await server.post(report("click", 1, by: phones[0]), as: .device).counts == [1, 0, 0])
            #expect(try await counts() == [2, 1, 1, 2])
            try await expectVerified()
        }
    }

    @Test("a sender that gives one notification id to many devices gets the figures of one, and a finding")
    func oneIDForMany() async throws {
        try await TestServer.run { server async throws in
            for number in phones.indices { try await register(number, server) }
            let events = phones.flatMap { [report("arrival", 1, by: $0), report("click", 1, by: $0)] }
            for event in events { _ = try await server.post(event, as: .device) }
            #expect(try await server.post(response(1, to: 2)).counts == [1, 0, 0])
            for event in events.shuffled() {
                #expect(try await server.post(event, as: .device).counts == [0, 1, 0])
            }
            #expect(try await counts() == [1, 1, 1, 1])
            try await expectVerified()
        }
    }

    @Test("a device that no push was sent to cannot keep another device's token alive")
    func signOfLife() async throws {
        try await TestServer.run { server async throws in
            for number in 0..<2 { try await register(number, server) }
            _ = try await server.post(response(1, to: 0))
            try await TestDatabase.current.execute(
                "UPDATE landfall.token SET last_sign_of_life_at = last_sign_of_life_at - interval '90 days'")
            _ = try await server.post(report("click", 1, by: phones[1]), as: .device)
            #expect(
                try await TestDatabase.current.count(
                    "SELECT count(*) FROM landfall.token WHERE last_sign_of_life_at > now() - interval '80 days'"
                )
                    == 0)
        }
    }
}
