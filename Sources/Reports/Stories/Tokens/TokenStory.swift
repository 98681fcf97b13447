internal import Access
public import PostgresClient

/// The life of one device token: its properties, every decision about it with the evidence, the
/// outcome of the last pushes, and the condition under which it becomes active again.
public struct TokenStory: Hashable, Sendable {
    public let scope: StoryScope
    public let token: TokenProfile
    /// The values that held its slot one after the other, including itself; only itself if it never changed.
    public let chain: [TokenProfile]
    /// The value under other environments and topics.
    public let sameValue: [TokenProfile]
    /// The responses that named it under other addresses.
    public let otherAddresses: [OtherAddress]
    public let ledger: LedgerExtract
    /// In time order.
    public let pushes: [PushRecord]
    public let names: StoryNames

    /// Reads the story in one snapshot.
    ///
    /// - Throws: ``StoryError/unknownToken(app:)`` if the app has no such token; `PostgresError`.
    public static func read(
        tokenID: Int64, _ scope: StoryScope, on connection: PostgresConnection
    ) throws -> TokenStory {
        try connection.snapshot {
            let reader = StoryReader(scope: scope, connection: connection)
            guard let token = try reader.tokens([tokenID]).first else {
                throw StoryError.unknownToken(app: scope.app.slug)
            }
            let chain = try chain(of: token, reader)
            let sameValue = try reader.sameValue(as: tokenID)
            let otherAddresses = try reader.otherAddresses(of: tokenID)
            let ledger = try reader.ledger(ofTokens: [tokenID])
            return TokenStory(
                scope: scope, token: token, chain: chain, sameValue: sameValue,
                otherAddresses: otherAddresses, ledger: ledger,
                pushes: try reader.pushes(toToken: tokenID),
                names: try reader.names(for: ledger.entries, knowing: chain + sameValue))
        }
    }

    /// Values follow one another within an installation; only the last one may belong to another installation by now.
    private static func chain(of token: TokenProfile, _ reader: StoryReader) throws -> [TokenProfile] {
        let others = try token.installationID.map { try reader.tokens(ofInstallation: $0) } ?? []
        let chain = TokenChain.order(token, among: others)
        guard let next = chain.last?.successorID, !chain.contains(where: { $0.tokenID == next }) else {
            return chain
        }
        return chain + (try reader.tokens([next]))
    }

    /// The decision that led to its current state; `nil` if that is older than what was read.
    public var lastChange: LedgerEntry? { ledger.lastChange(of: token.tokenID) }
}
