internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import SQLFiles

/// One row of the ledger, about to be written.
struct TokenTransition: Sendable {
    let appID: Int64
    let tokenID: Int64
    /// Nil when the token was not known before.
    let from: TokenState?
    let change: TokenChange
    let evidence: LedgerEvidence
}

/// What a rule looked at, as it is kept in the ledger. Instants are milliseconds since 1970; a token value is never here.
struct LedgerEvidence: Encodable, Sendable {
    var provider: String?
    var status: Int?
    /// The provider's word.
    var reason: String?
    /// The provider's time of the token's death.
    var invalidSince: Int64?
    var sentAt: Int64?
    var registeredAt: Int64?
    /// The same value is registered in, or was accepted by, the other environment.
    var knownInOtherEnvironment: Bool?
    /// The token that took the slot, or the installation that took the token.
    var successorTokenID: Int64?
    var fromInstallationID: Int64?
    var toInstallationID: Int64?
    /// `import` when a table said so; nil when an app or a sender did.
    var source: String?

    init() {}

    init(_ answer: TokenEvidence, registeredAt: Instant?) {
        provider = answer.provider
        status = answer.status
        reason = answer.reason
        invalidSince = answer.invalidSince?.millisecondsSinceEpoch
        sentAt = answer.sentAt.millisecondsSinceEpoch
        self.registeredAt = registeredAt?.millisecondsSinceEpoch
        knownInOtherEnvironment = answer.isKnownInOtherEnvironment ? true : nil
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension PostgresConnection {
    func record(_ transitions: [TokenTransition], now: Instant) throws {
        guard !transitions.isEmpty else { return }
        try query(
            .Tokens.recordTransitions,
            [
                .array(transitions.map(\.appID)),
                .array(transitions.map(\.tokenID)),
                .nullableArray(transitions.map { $0.from?.rawValue }),
                .array(transitions.map(\.change.to.rawValue)),
                .array(transitions.map(\.change.rule.rawValue)),
                .array(try transitions.map { try $0.evidence.json() }),
                .value(now),
            ])
    }
}
