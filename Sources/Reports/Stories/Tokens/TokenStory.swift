internal import DeliveryModel
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
    /// - Throws: ``StoryError/unknownToken(app:knownIn:)`` if the app has no such token; `PostgresError`.
    public static func read(
        tokenID: Int64, _ scope: StoryScope, on connection: PostgresConnection
    ) throws -> TokenStory {
        try connection.snapshot {
            try connection.execute(script: .Reports.lockDeliveries)
            let reader = StoryReader(scope: scope, connection: connection)
            guard let token = try reader.tokens([tokenID]).first else {
                throw StoryError.unknownToken(app: scope.app.slug, knownIn: [])
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

    /// Values follow one another within an installation; only the last one may belong to another by now.
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

/// The values that held a slot one after the other: those before a token, the token, and those after it.
public enum TokenChain {
    /// Follows the links in both directions. In time order, including the token.
    ///
    /// - Parameters:
    ///   - token: the token to begin with.
    ///   - others: the tokens that may be linked to it, in any order.
    public static func order(_ token: TokenProfile, among others: [TokenProfile]) -> [TokenProfile] {
        var seen: Set = [token.tokenID]
        var successors: [TokenProfile] = []
        var next = token.successorID
        while let id = next, seen.insert(id).inserted, let found = others.first(where: { $0.tokenID == id }) {
            successors.append(found)
            next = found.successorID
        }
        var predecessors: [TokenProfile] = []
        var targets: Set = [token.tokenID]
        while !targets.isEmpty {
            let found = others.filter { other in
                guard let successorID = other.successorID else { return false }
                return targets.contains(successorID) && !seen.contains(other.tokenID)
            }
            for other in found { seen.insert(other.tokenID) }
            predecessors += found
            targets = Set(found.map(\.tokenID))
        }
        // A value may have left a slot and returned; the instants at which values left it give the order.
        return predecessors.sorted { ($0.stateChangedAt, $0.tokenID) < ($1.stateChangedAt, $1.tokenID) }
            + [token] + successors
    }
}

/// The responses about a token under another address than the registered one.
public struct OtherAddress: Hashable, Decodable, Sendable {
    public let provider: String
    public let environment: String
    /// Empty if the responses named none, and several registered tokens have the value.
    public let topic: String
    public let lastSaidAt: Instant
    public let responses: Int64
    /// Send time of the last push that was accepted there; `nil` if none was.
    public let lastAcceptedAt: Instant?
    public let lastRejectedAt: Instant?
    public let lastStatus: Int32
    /// Empty without one.
    public let lastReason: String

    /// `apns, sandbox, com.example.shop`.
    public var address: String {
        [provider, environment, topic].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// `400 BadDeviceToken`.
    public var lastWords: String { lastReason.isEmpty ? "\(lastStatus)" : "\(lastStatus) \(lastReason)" }
}
