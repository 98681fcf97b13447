/// A token as the sender's table has it.
public struct MirroredToken: Equatable, Sendable {
    var tokenID: Int64
    var value: String
    var provider: String
    var kind: String
    var environment: String
    var topic: String
    var state: String
    /// `nil` if only a sender knows the token.
    var deviceID: String?
    /// The keys of a Web Push subscription.
    var p256dh: String?
    var auth: String?
    /// RFC 3339; `nil` if no change was applied since all tokens were read.
    var changedAt: String?
}

/// How far a table has come. It is stored in the sender's database, in the transaction of the rows.
public struct MirrorPosition: Equatable, Sendable {
    var app: String
    /// The last transition that was applied, or from which changes follow once all tokens are read.
    var after: Int64
    /// Where to go on reading all tokens; `nil` once they are read.
    var fillCursor: String?
    /// The greatest id of the tokens that were read.
    var filledTo: Int64 = 0
    /// The server's proof of the row `after`, so that it rejects the position if its ledger is another one.
    var proof: String?
    /// One more with each page, so that a page is applied only to the position that it was read for.
    var revision: Int64
}

/// What a page does to the table.
struct MirrorBatch: Sendable {
    var put: [MirroredToken] = []
    var removed: [Int64] = []
    /// All tokens of these ids are in `put`: others are removed. The lower bound is not included.
    var replaced: (above: Int64, through: Int64)?
}

/// A sender's database with a table of tokens, which no other mirror keeps as long as the object exists.
///
/// Its calls block, and throw `MirrorTrouble` if the same may work later, else ``MirrorError``.
protocol MirrorTarget: AnyObject {
    /// `nil` before the first page.
    func position() throws -> MirrorPosition?

    /// Whether there are rows of the app with the number of a token.
    func hasTokens(of app: String) throws -> Bool

    /// Applies a page and its position in one transaction.
    ///
    /// - Throws: `MirrorTrouble` if the position has moved since it was read.
    func apply(_ batch: MirrorBatch, _ position: MirrorPosition) throws
}

extension MirrorTrouble {
    static let moved = MirrorTrouble(
        reason: "an earlier session of a mirror has moved the table on; reading its position again")
}

extension MirrorError {
    static func unowned(_ count: Int, in table: MirrorTable, of app: String) -> MirrorError {
        .failed(
            "\(table.name) has \(count) rows that are not of app \(app) but have a token_id of its tokens: remove "
                + "the token_id from your own rows, or name another table with --table")
    }

    static func unknownRows(in table: String, of app: String) -> MirrorError {
        .refused(
            "\(table) has rows of app \(app), but no mirror's position, and the first fill would remove the rows "
                + "that are not among the app's tokens. If the rows are yours, name another table with --table. "
                + "If they may be replaced, run this once with --refill")
    }

    static func unusable(_ table: MirrorTable, _ reason: String) -> MirrorError {
        .failed(
            "\(table.name) cannot hold the tokens: \(reason). It needs the columns "
                + "\(MirrorTable.columns.joined(separator: ", ")), under these names or those of --column, and a "
                + "unique token_id; docs/connect/mirror.md shows the table")
    }
}
