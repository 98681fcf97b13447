import Access
import DeliveryModel
import Foundation
import PostgresClient
import TestDatabase

/// A sender and its devices that post to the server.
extension TestServer {
    /// Posts one response with the server key.
    ///
    /// - Parameter fields: JSON members after `type`, id and send time.
    @discardableResult
    func respond(_ fields: String, sentAt: Instant = .now) async throws -> Response {
        try await post(
            #"{"type":"response","notification_id":"\#(UUID())","sent_at":\#(sentAt.millisecondsSinceEpoch),\#(fields)}"#
        )
    }

    /// Registers tokens of a device with the server key, at a time in the past.
    @discardableResult
    func backfill(_ deviceID: UUID, _ tokens: String, at instant: Instant) async throws -> Response {
        try await put(
            deviceID,
            #"{"platform":"web","registered_at":\#(instant.millisecondsSinceEpoch),"tokens":[\#(tokens)]}"#,
            as: .server)
    }

    /// Installations and tokens of senders that a notification could be shown on.
    func audience() async throws -> Int64 {
        let kinds = TokenKind.alerting.map { "'\($0.rawValue)'" }.joined(separator: ",")
        return try await TestDatabase.current.count(
            """
            SELECT count(DISTINCT coalesce(installation_id, -token_id)) FROM landfall.token
             WHERE state = 'active' AND kind IN (\(kinds))
            """)
    }

    /// `kind state/cause` of all tokens, in the order in which they became known.
    func states() async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT kind || ' ' || state || coalesce('/' || cause, '') FROM landfall.token ORDER BY token_id"
        ) { try $0.get(0, as: String.self) }
    }

    /// The rules of the ledger, in order.
    func rules() async throws -> [String] {
        try await TestDatabase.current.query(
            "SELECT rule FROM landfall.token_transition ORDER BY transition_id"
        ) {
            try $0.get(0, as: String.self)
        }
    }
}

extension Response {
    /// The code of each warning.
    var warningCodes: [String] { warnings.map { String($0.prefix { $0 != ":" }) } }
}

/// A token in a registration.
func listed(
    _ value: String, _ kind: String = "alert", topic: String = "com.example.shop", also fields: String = ""
) -> String {
    #"{"value":"\#(value)","kind":"\#(kind)","topic":"\#(topic)"\#(fields)}"#
}
