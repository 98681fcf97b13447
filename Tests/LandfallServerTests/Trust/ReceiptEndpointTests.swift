import Access
import DeliveryModel
import Foundation
import Hummingbird
import HummingbirdTesting
import PostgresClient
import TestDatabase
import Testing
import Trust
import Vault

/// Receipts from the app's setting to the counters.
@Suite(.database) struct ReceiptEndpointTests {
    private let vault = TokenVault(testTokenKey)

    /// Sets what the app demands and creates a receipt key. A server notices with a delay, so this comes
    /// before the first post.
    private func demand(_ demand: TrustRules.Demand, of app: App) async throws -> SigningKey {
        let vault = vault
        return try await TestDatabase.current.pool.withConnection { connection in
            let directory = AppDirectory(connection)
            try directory.set(.named("receipts"), to: demand.rawValue, of: app)
            return SigningKey(
                try directory.createSigningKey(kind: .receipt, for: app, vault: vault, at: .now))
        }
    }

    private func responses(_ numbers: ClosedRange<Int>) -> String {
        let items = numbers.map { number in
            """
            {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\
            "token":"\(tokenValue(number))","topic":"com.example.shop","campaign":"spring"}
            """
        }
        return "[\(items.joined(separator: ","))]"
    }

    private func click(_ number: Int, signedFor signed: Int? = nil, _ key: SigningKey? = nil) throws -> String
    {
        let id = try #require(UUID(uuidString: notificationID(signed ?? number)))
        let receipt = key.map { #","receipt":"\#(Receipt.text(for: id, key: $0))""# } ?? ""
        return #"{"type":"click","notification_id":"\#(notificationID(number))"\#(receipt)}"#
    }

    private func counts() async throws -> [Int64] {
        try await TestDatabase.current.query(
            """
            SELECT coalesce(sum(clicked), 0)::bigint, coalesce(sum(confirmed), 0)::bigint,
                   coalesce(sum(confirmed_signed), 0)::bigint
            FROM public.counted
            """, []
        ) { row in try (0..<3).map { try row.get($0, as: Int64.self) } }.first ?? []
    }

    @Test("with receipts required, a forged click with the app's own device key moves no number")
    func required() async throws {
        try await TestServer.run { server async throws in
            let key = try await demand(.required, of: server.app)
            #expect(try await server.post(responses(1...3)).counts == [3, 0, 0])
            for forged in [
                try click(1), try click(1, signedFor: 2, key), try click(1, SigningKey("lf_receipt_guessed")),
            ] {
                let response = try await server.post(forged, as: .device)
                #expect(response.status == 422)
                #expect(response.text.contains("invalid_receipt"))
            }
            #expect(try await counts() == [0, 0, 0])
            #expect(try await server.post(click(1, key), as: .device).counts == [1, 0, 0])
            // The app's own server forwards what devices told it.
            #expect(try await server.post(click(2)).counts == [1, 0, 0])
            #expect(try await counts() == [2, 2, 2])
        }
    }

    @Test("the receipt of an id that is not a UUID signs its text")
    func text() async throws {
        try await TestServer.run { server async throws in
            let key = try await demand(.required, of: server.app)
            let sentAt = Instant.now.millisecondsSinceEpoch - 60_000
            let response = """
                {"type":"response","notification_id":4711,"sent_at":\(sentAt),"provider":"apns","status":200,\
                "token":"\(tokenValue(1))","topic":"com.example.shop"}
                """
            #expect(try await server.post(response).counts == [1, 0, 0])
            for (signed, status) in [("4712", 422), ("4711", 200)] {
                let receipt = Receipt.text(for: .text(signed), key: key)
                let click = #"{"type":"click","notification_id":"4711","receipt":"\#(receipt)"}"#
                #expect(try await server.post(click, as: .device).status == status)
            }
            #expect(try await counts() == [1, 1, 1])
        }
    }

    @Test("while receipts are observed, unsigned events count, and the signed ones are told apart")
    func observed() async throws {
        try await TestServer.run { server async throws in
            let key = try await demand(.observe, of: server.app)
            #expect(try await server.post(responses(1...3)).counts == [3, 0, 0])
            for (number, signer) in [(1, key), (2, nil), (3, SigningKey("lf_receipt_old"))] {
                #expect(try await server.post(click(number, signer), as: .device).counts == [1, 0, 0])
            }
            #expect(try await counts() == [3, 3, 1])
            // The same click again, now signed, adds the signature.
            #expect(try await server.post(click(2, key), as: .device).counts == [1, 0, 0])
            #expect(try await server.post(click(2), as: .device).counts == [0, 1, 0])
            #expect(try await counts() == [3, 3, 2])
        }
    }

    @Test("without the setting, receipts are ignored, whatever they are")
    func off() async throws {
        try await TestServer.run { server async throws in
            #expect(try await server.post(responses(1...1)).counts == [1, 0, 0])
            #expect(
                try await server.post(click(1, SigningKey("lf_receipt_any")), as: .device).counts == [
                    1, 0, 0,
                ])
            #expect(try await counts() == [1, 1, 0])
        }
    }
}
