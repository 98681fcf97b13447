import Access
import Foundation
import Hummingbird
import PostgresClient
import Reports
import TestDatabase
import Testing

/// `message_id` over HTTP: three devices, one payload.
@Suite(.database) struct MessageEndpointTests {
    private let message = notificationID(1)
    private let phones = (0..<3).map { _ in UUID() }

    private func response(_ number: Int) -> String {
        """
        {"type":"response","message_id":"\(message)","provider":"apns","status":200,"token":"\(tokenValue(number))",\
        "topic":"com.example.shop","campaign":"spring"}
        """
    }

    private func report(_ type: String, _ number: Int) -> String {
        #"{"type":"\#(type)","message_id":"\#(message)","device_id":"\#(phones[number])"}"#
    }

    private func register(_ number: Int, _ server: TestServer) async throws {
        let response = try await server.put(
            phones[number], #"{"tokens":[{"value":"\#(tokenValue(number))","topic":"com.example.shop"}]}"#)
        #expect(response.status == 200)
    }

    private var events: [String] {
        phones.indices.flatMap { [response($0), report("arrival", $0)] } + [report("click", 1)]
    }

    @Test(
        "reports are the same whether events come before or after registrations, twice and shuffled, on either of two servers"
    )
    func reports() async throws {
        let start = sendTime.startOfUTCDay
        try await TestServer.run { first async throws in
            try await TestServer.run(app: "second") { second async throws in
                let elsewhere = second.with(keys: first.keys, app: first.app)
                // The tokens come first, in the middle and last.
                try await register(0, first)
                for (number, event) in events.enumerated() {
                    #expect(
                        try await (number.isMultiple(of: 2) ? first : elsewhere).post(event).counts == [
                            1, 0, 0,
                        ])
                    if number == 3 { try await register(1, elsewhere) }
                }
                try await register(2, first)
                let reports = try await documents(of: first.app, from: start)
                for order in [events.reversed(), events.shuffled()] {
                    for server in [first, elsewhere] {
                        let body = "[" + order.joined(separator: ",") + "]"
                        #expect(try await server.post(body).counts == [0, events.count, 0])
                    }
                }
                for number in phones.indices { try await register(number, elsewhere) }
                try await expectSame(documents(of: first.app, from: start), reports)
            }
        }
        let sums = """
            SELECT sum(attempted)::bigint, sum(accepted)::bigint, sum(arrived)::bigint, sum(clicked)::bigint
              FROM public.counted
            """
        let counted = try await TestDatabase.current.query(sums) { row in
            try (0..<4).map { try row.get($0, as: Int64.self) }
        }
        #expect(counted == [[3, 3, 3, 1]])
        let verification = try await TestDatabase.current.pool.withConnection { try Verification.run(on: $0) }
        #expect(verification.differenceCount == 0)
        #expect(verification.notifications == 3)
    }

    @Test("a device key may report on a message, and may not post its response")
    func deviceKey() async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.post(report("arrival", 0), as: .device).counts == [1, 0, 0])
            #expect(try await server.post("[\(response(0))]", as: .device).itemErrors == ["0:forbidden_type"])
        }
    }
}
