public import DeliveryModel
public import PostgresClient
public import Vault

/// A row of the ledger for a sender, with the token's present data.
public struct FedChange: Sendable {
    public let transitionID: Int64
    public let at: Instant
    /// `nil` if the token was not known before.
    public let from: String?
    public let to: String
    public let rule: String
    public let tokenID: Int64
    /// The token's state now. Of two transactions, the one that began first may have decided last, so this is
    /// not always the `to` of the token's last row.
    public let state: String
    /// `nil` once it was swept or erased, and while it is unproven.
    public let value: [UInt8]?
    /// The keys of a Web Push subscription, if the app registered it with keys.
    public let keys: WebPushKeys?
    public let provider: String
    public let kind: String
    public let environment: String
    public let topic: String
    /// The installation that has the token now, in lower case; `nil` if only a sender knows it.
    public let deviceID: String?
    /// The token that took its place in the same slot; `nil` if it has its place, or no token took it.
    public let successorID: Int64?
    /// Whether the row begins an unproven token, which no reader has. Feeds leave it out.
    public let isHidden: Bool
}

/// What never changes of a row of the ledger.
public struct LedgerRow: Equatable, Sendable {
    public let transitionID: Int64
    let at: Instant
    let tokenID: Int64
    let rule: String

    /// A text that needs no escaping in a query. After a restore, another row may have the number, but none
    /// has the number and the proof.
    public var proof: String { "\(at.millisecondsSinceEpoch)-\(tokenID)-\(rule)" }
}

extension LedgerRow {
    init(_ row: PostgresRow) throws {
        self.init(
            transitionID: try row.get("transition_id"), at: try row.get("at"),
            tokenID: try row.get("token_id"), rule: try row.get("rule"))
    }
}

extension FedChange {
    public var row: LedgerRow { LedgerRow(transitionID: transitionID, at: at, tokenID: tokenID, rule: rule) }
}

/// The ledger, for senders that keep a table of their own in sync.
///
/// A reader that stores the last transition it received gets every row exactly once, in an order that never
/// changes. Rows are held back while an open transaction may still write rows before them, so the feed lags
/// by as much as the longest transaction that writes to this database. Do not call it in a transaction whose
/// snapshot is older than the call.
public struct ChangeFeed: Sendable {
    public enum Failure: Error, Equatable, Sendable {
        /// The app's ledger has no such row, or another one under its number.
        case unknownTransition
    }

    private let vault: TokenVault

    public init(vault: TokenVault) {
        self.vault = vault
    }

    /// The newest transition that no open transaction can precede; `nil` if there is none.
    public static func last(of appID: Int64, on connection: PostgresConnection) throws -> LedgerRow? {
        let bound = try bound(on: connection)
        return try connection.query(.Tokens.lastTransition, [.value(appID), bound]).first.map(LedgerRow.init)
    }

    /// The place of a reader in the feed of an app.
    public struct Position: Hashable, Sendable {
        public let appID: Int64
        /// The last row that the reader received; 0 for none.
        public let transitionID: Int64

        public init(appID: Int64, transitionID: Int64) {
            (self.appID, self.transitionID) = (appID, transitionID)
        }
    }

    /// A reader passes this many hidden rows at once.
    private static let hiddenLimit: Int64 = 100

    /// Those of the positions after which there are rows that readers see, or many that they do not see, or
    /// whose app has moved to another cell.
    public static func passed(
        _ positions: Set<Position>, on connection: PostgresConnection
    ) throws -> Set<Position> {
        let asked = Array(positions)
        let bound = try bound(on: connection)
        let rows = try connection.query(
            .Tokens.findPassedPositions,
            [
                .array(asked.map(\.appID)), .array(asked.map(\.transitionID)), bound,
                .value(hiddenLimit),
            ])
        return Set(try rows.map { asked[try $0.askedIndex] })
    }

    /// The number of the oldest transaction that may still write; if there is none, of the next transaction.
    private static func bound(on connection: PostgresConnection) throws -> PostgresParameter {
        .value(try connection.query(.Tokens.ledgerBound).single().get("bound", as: Int64.self))
    }

    /// Prepares the ledger of a database restored from another cluster's dump: its rows keep their order, and
    /// all that this cluster writes comes after them. Every program calls it before it writes to a database,
    /// outside of a transaction. Does nothing in a session that is read-only, as on a standby.
    public static func adopt(on connection: PostgresConnection) throws {
        let isForeign = try connection.query(.Tokens.hasForeignTransitions).single()
            .get("is_foreign", as: Bool.self)
        guard isForeign else { return }
        try connection.transaction { _ = try connection.query(.Tokens.adoptTransitions) }
    }

    /// - Parameters:
    ///   - transitionID: the last row that the reader received; 0 to start from the beginning.
    ///   - proof: ``LedgerRow/proof`` of that row, if the reader has it.
    /// - Throws: ``Failure/unknownTransition``, `PostgresError`.
    public func changes(
        of appID: Int64, after transitionID: Int64, proof: String? = nil, limit: Int,
        on connection: PostgresConnection
    ) throws -> [FedChange] {
        let known = try connection.query(.Tokens.findTransition, [.value(appID), .value(transitionID)])
            .first.map(LedgerRow.init)
        guard known != nil || transitionID == 0, proof == nil || proof == known?.proof else {
            throw Failure.unknownTransition
        }
        let bound = try Self.bound(on: connection)
        let rows = try connection.query(
            .Tokens.pageChanges, [.value(appID), .value(transitionID), .value(Int64(limit)), bound])
        return try rows.map { row in
            let sealed = try row.getOptional("sealed_value", as: [UInt8].self)
            return FedChange(
                transitionID: try row.get("transition_id"), at: try row.get("at"),
                from: try row.getOptional("from_state"), to: try row.get("to_state"),
                rule: try row.get("rule"), tokenID: try row.get("token_id"), state: try row.get("state"),
                value: try sealed.map { try vault.open($0, from: .token(ofApp: appID)) },
                keys: try vault.webPushKeys(of: row, ofApp: appID),
                provider: try row.get("provider"), kind: try row.get("kind"),
                environment: try row.get("environment"), topic: try row.get("topic"),
                deviceID: try row.getOptional("device_id"), successorID: try row.getOptional("successor_id"),
                isHidden: try row.get("is_hidden"))
        }
    }
}
