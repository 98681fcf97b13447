internal import DeliveryModel
internal import Instants
internal import PostgresClient
internal import SQLFiles

/// One row of the ledger, to be written.
struct TokenTransition: Sendable {
    let appID: Int64
    let tokenID: Int64
    /// `nil` if the token was not known before.
    let from: TokenState?
    let change: TokenChange
    let evidence: LedgerEvidence
}

extension PostgresConnection {
    func record(_ transitions: [TokenTransition], now: Instant) throws {
        guard !transitions.isEmpty else { return }
        try query(
            .Tokens.recordTransitions,
            [
                .array(transitions.map(\.appID)), .array(transitions.map(\.tokenID)),
                .nullableArray(transitions.map { $0.from?.rawValue }),
                .array(transitions.map(\.change.to.rawValue)),
                .array(transitions.map(\.change.rule.rawValue)),
                .array(try transitions.map { try $0.evidence.json() }), .value(now),
            ])
    }

    func enqueue(_ file: SQLFile, _ parameters: [PostgresParameter]) {
        enqueue(PostgresStatement(file, parameters))
    }
}

extension PostgresRow {
    /// The index of what the row is about in the arrays of the query: the column `position` counts from 1.
    var askedIndex: Int {
        get throws(PostgresError) { Int(try get("position", as: Int64.self)) - 1 }
    }
}
