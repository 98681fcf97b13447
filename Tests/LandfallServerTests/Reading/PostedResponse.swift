import Foundation
import PostgresClient
import TestDatabase
import Testing

/// Posts one provider's response as a sender does, about a token in use, and reads the recorded outcome.
struct PostedResponse: Sendable {
    /// The recorded response, and the state of its token.
    struct Recorded: Equatable, CustomStringConvertible {
        let provider: String
        let reason: String
        let outcomeClass: String
        /// `nil` if it names no token.
        let tokenState: String?
        let warnings: [String]

        var description: String {
            "\(provider) \(outcomeClass), token \(tokenState ?? "none"), '\(reason)' \(warnings)"
        }
    }

    let server: TestServer
    let provider: String
    /// A new one of the provider, unless it is given.
    let token: String

    init(_ server: TestServer, _ provider: String, token: String? = nil) {
        self.server = server
        self.provider = provider
        self.token = token ?? Self.newToken(provider)
    }

    static func newToken(_ provider: String) -> String {
        let hex = UUID().uuidString.replacing("-", with: "").lowercased()
        let letters = "Z" + hex + "bQ-x_" + hex + "kU7" + hex + hex.prefix(20)
        switch provider {
        case "fcm", "gcm", "firebase": return "f\(hex.prefix(21)):APA91b\(letters)"
        case "webpush": return "https://fcm.googleapis.com/fcm/send/\(letters)"
        case "webpush_apple": return "https://web.push.apple.com/Q\(letters)"
        case "expo": return "ExponentPushToken[\(hex.prefix(22))]"
        case "onesignal": return UUID().uuidString.lowercased()
        case "apns": return hex + hex
        default: return letters
        }
    }

    /// Registers the token, or lets a push to it be accepted if no app can register it.
    func introduce(to deviceID: UUID = UUID()) async throws {
        let kinds = [
            "apns": "alert", "fcm": "fcm", "gcm": "fcm", "webpush": "web_push", "webpush_apple": "web_push",
        ]
        if let kind = kinds[provider] {
            let body = #"{"tokens":[{"value":"\#(token)","kind":"\#(kind)","topic":"com.example.shop"}]}"#
            #expect(try await server.put(deviceID, body).status == 200)
        }
        guard !provider.hasSuffix("_receipt") else { return }
        _ = try await server.post(item(#""status":200"#))
    }

    func item(_ fields: String, id: UUID = newID()) -> String {
        #"{"type":"response","notification_id":"\#(id)","sent_at":\#(Instant.now.millisecondsSinceEpoch),"#
            + #""provider":"\#(provider)","token":"\#(token)","topic":"com.example.shop",\#(fields)}"#
    }

    /// - Parameter fields: JSON; `TOKEN` is replaced by the token.
    func post(_ fields: String) async throws -> Recorded {
        let id = Self.newID()
        let response = try await server.post(item(fields.replacing("TOKEN", with: token), id: id))
        #expect(response.counts == [1, 0, 0], "\(fields): \(response.text)")
        let rows = try await TestDatabase.current.query(
            """
            SELECT response.provider, response.reason, response.outcome_class, token.state
              FROM landfall.delivery AS delivery
              JOIN landfall.provider_response AS response USING (response_id)
              LEFT JOIN landfall.token AS token USING (token_id)
             WHERE delivery.notification_id = $1
            """, [.value(id)]
        ) { row in
            (
                try row.get(0, as: String.self), try row.get(1, as: String.self),
                try row.get(2, as: String.self),
                try row.getOptional(3, as: String.self)
            )
        }
        let (provider, reason, outcomeClass, state) = try #require(rows.first)
        return Recorded(
            provider: provider, reason: reason, outcomeClass: outcomeClass, tokenState: state,
            warnings: response.warnings.map { String($0.prefix { $0 != ":" }) })
    }

    static func newID() -> UUID {
        UUID(uuidString: notificationID(Int.random(in: 0..<(1 << 40)), at: .now)) ?? UUID()
    }
}
