public import DeliveryModel
public import PostgresClient
public import Vault

/// Finds or creates the tokens that responses name, and applies what the responses say about them.
///
/// All calls run on the connection of the transaction they belong to, for a whole batch at a time.
public struct TokenLedger: Sendable {
    private let vault: TokenVault
    private let recentPeers = TimedCache<PeerGroup, PeerCounts>()
    /// Read only when a breaker is about to open.
    private let usualRejections = TimedCache<Int64, Double>()

    public init(vault: TokenVault) {
        self.vault = vault
    }

    /// The target of each address; `nil` where there is no address. Creates tokens that are unknown.
    ///
    /// - Parameter sentAt: when the pushes were sent, by position; for the ledger, which otherwise has only
    ///   the time of discovery.
    public func resolve(
        _ addresses: [AppTokenAddress?], sentAt: [Instant?]? = nil, now: Instant,
        on connection: PostgresConnection
    ) throws -> [PushTarget?] {
        let asked = addresses.indices.compactMap { position in
            addresses[position].map {
                FingerprintedAddress(
                    address: $0, fingerprint: vault.fingerprint(of: $0.address.value), position: position,
                    sentAt: sentAt?[position])
            }
        }
        var targets = [PushTarget?](repeating: nil, count: addresses.count)
        guard !asked.isEmpty else { return targets }
        try lookUp(asked, on: connection, into: &targets)
        // The topic may be missing on one side: in the address, or in a token that was first seen without
        // one. Or an app may have registered the value under another address.
        try lookUpOfAnyAddress(asked.filter { targets[$0.position] == nil }, on: connection, into: &targets)
        let unknown = asked.filter { targets[$0.position] == nil }
        guard !unknown.isEmpty else { return targets }
        let discovered = try discover(unknown, now: now, on: connection)
        let added = discovered.values.compactMap(\.token?.tokenID).sorted()
        if try !StrayTokens.merge(added, now: now, on: connection) {
            for asked in unknown { targets[asked.position] = discovered[asked.address] }
        }
        // Another batch was faster, another address stands for this one, or an app just registered a value.
        try lookUpOfAnyAddress(unknown.filter { targets[$0.position] == nil }, on: connection, into: &targets)
        return targets
    }

    /// Nearly all tokens of a batch share app and topic, and all topics are queried in one round trip.
    private func lookUp(
        _ asked: [FingerprintedAddress], on connection: PostgresConnection, into targets: inout [PushTarget?]
    ) throws {
        let byPlace = Array(Dictionary(grouping: asked, by: \.place))
        let results = try connection.query(
            byPlace.map { place, asked in
                PostgresStatement(
                    .Tokens.resolveTokens,
                    [
                        .value(place.appID), .value(place.place.provider),
                        .value(place.place.environment.rawValue), .value(place.place.topic),
                        .array(asked.map(\.fingerprint)),
                    ])
            })
        for (rows, asked) in zip(results, byPlace) {
            try read(rows, of: asked.value, into: &targets) { _, target, address in
                target.place = TokenPlace(address.address.address)
            }
        }
    }

    private func lookUpOfAnyAddress(
        _ asked: [FingerprintedAddress], on connection: PostgresConnection, into targets: inout [PushTarget?]
    ) throws {
        guard !asked.isEmpty else { return }
        let rows = try connection.query(.Tokens.resolveTokensOfAnyAddress, asked.keyParameters)
        let providers: [String] = try rows.column("provider")
        let environments = try rows.column("environment", as: String.self)
            .map { try Environment(known: $0) }
        let topics: [String] = try rows.column("topic")
        let registered: [Int64] = try rows.column("registered")
        try read(rows, of: asked, into: &targets) { index, target, address in
            target.place = TokenPlace(
                provider: providers[index], environment: environments[index], topic: topics[index])
            target.isAmbiguous = !address.hasTopic && registered[index] > 1
        }
    }

    /// - Parameter complete: adds the token's place from the row, which may differ from the address.
    private func read(
        _ rows: PostgresRows, of asked: [FingerprintedAddress], into targets: inout [PushTarget?],
        complete: (Int, inout PushTarget, FingerprintedAddress) -> Void
    ) throws {
        let positions: [Int64] = try rows.column("position")
        let found = try PushTarget.all(in: rows)
        for index in found.indices {
            let address = asked[Int(positions[index]) - 1]
            var target = found[index]
            complete(index, &target, address)
            targets[address.position] = target
        }
    }

    /// Adds unknown tokens; returns those that this call added.
    private func discover(
        _ unknown: [FingerprintedAddress], now: Instant, on connection: PostgresConnection
    ) throws -> [AppTokenAddress: PushTarget] {
        // Sorted in the order in which rows are locked; each once, because a statement cannot insert a row
        // twice. An address with a topic also stands for those with the same value and no topic.
        let named = Set(unknown.filter(\.hasTopic).map(\.addressWithoutTopic))
        let addresses = Dictionary(
            unknown.filter { $0.hasTopic || !named.contains($0.addressWithoutTopic) }
                .map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first }
        ).values.sorted()
        let sealed = try addresses.map {
            try vault.seal(Array($0.address.address.text.utf8), for: .token(ofApp: $0.address.appID))
        }
        let firstSentAt = Dictionary(
            unknown.compactMap { asked in asked.sentAt.map { (asked.addressWithoutTopic, $0) } },
            uniquingKeysWith: min)
        let rows = try connection.query(
            .Tokens.discoverTokens,
            addresses.keyParameters + [
                .array(addresses.map { $0.address.address.kind.rawValue }), .array(sealed),
                .value(now), .nullableArray(addresses.map { firstSentAt[$0.addressWithoutTopic] }),
            ])
        let tokenIDs: [Int64] = try rows.column("token_id")
        let positions: [Int64] = try rows.column("position")
        return Dictionary(
            uniqueKeysWithValues: zip(tokenIDs, positions).map { tokenID, position in
                let address = addresses[Int(position) - 1].address
                let target = PushTarget(
                    token: Token(tokenID: tokenID, state: .active), traits: InstallationTraits(),
                    place: TokenPlace(address.address), kind: address.address.kind)
                return (address, target)
            })
    }

    /// Applies the rules to each token and its responses, in the order in which the pushes were sent.
    ///
    /// The update compares the token with what the rules saw; if another transaction changed it first, the
    /// rules apply again. If too many tokens would retire at once, the breaker makes the others suspect.
    ///
    /// - Parameters:
    ///   - answers: all responses of the batch: the breaker's limit is a share of the attempted tokens.
    ///   - isBehindWaking: whether stale tokens may have become active since they were read, because device
    ///     events arrived.
    ///   - shard: the writer's share of the counters.
    public func apply(
        _ responses: [TokenResponse], isBehindWaking: Bool = false, now: Instant, shard: Int16 = 0,
        on connection: PostgresConnection
    ) throws {
        let meant = responses.allSatisfy(\.isMeant) ? responses : responses.filter(\.isMeant)
        try connection.recordOtherAddresses(responses, now: now)
        guard !meant.isEmpty else { return }
        let responses = isBehindWaking ? try awake(meant, on: connection) : meant
        let minute = BreakerMinute(now)
        let attempts = BreakerMinute.attempts(responses, now: now)
        if !attempts.isEmpty { connection.enqueue(minute.statement(attempts, shard: shard)) }
        let due = due(responses, now: now)
        guard !due.isEmpty else { return }
        var judgments = judge(try weighed(due, now: now, on: connection), now: now)
        var breakers = LockedBreakers(now: now, usual: usualRejections)
        for _ in 0..<5 where !judgments.isEmpty {
            judgments = try breakers.holdBack(judgments, on: connection)
            guard !judgments.isEmpty else { break }
            // The tokens that were still as the rules saw them. Unchanged ones are included, because the
            // ledger's rows about them must match their state.
            let written = Set(
                try connection.query(.Tokens.changeTokens, [judgments.parameter, .value(now)])
                    .column("token_id", as: Int64.self))
            let transitions = judgments.filter { written.contains($0.before.tokenID) }.flatMap(\.transitions)
            try connection.record(transitions, now: now)
            judgments.removeAll { written.contains($0.before.tokenID) }
            breakers.takeBack(judgments)
            let current = try current(judgments.map(\.before.tokenID), on: connection)
            judgments = judgments.compactMap { judgment in
                current[judgment.before.tokenID].flatMap { judgment.judgedAgain($0, now: now) }
            }
        }
        guard judgments.isEmpty else {
            // Simulates the database's own error, so that the whole batch is tried again with current data.
            throw PostgresError.server(
                sqlState: .serializationFailure, message: "tokens kept changing",
                statement: SQLFile.Tokens.changeTokens.name)
        }
        breakers.record(minute, shard: shard, on: connection)
    }

    /// The responses about tokens to which at least one of them makes a difference. Most confirm what is
    /// known: a push was accepted for an active token.
    private func due(_ responses: [TokenResponse], now: Instant) -> [TokenResponse] {
        var tokenIDs: Set<Int64> = []
        for response in responses
        where TokenRules.meansSomething(response.evidence, to: response.token, now: now) {
            tokenIDs.insert(response.token.tokenID)
        }
        return tokenIDs.isEmpty ? [] : responses.filter { tokenIDs.contains($0.token.tokenID) }
    }

    /// Token by token, in the order in which rows are locked.
    private func judge(_ responses: [TokenResponse], now: Instant) -> [TokenJudgment] {
        // Sorts numbers instead of responses, which are large.
        let order = responses.indices.map { (tokenID: responses[$0].token.tokenID, index: $0) }.sorted {
            $0 < $1
        }
        var judgments: [TokenJudgment] = []
        var rest = order[...]
        while let first = rest.first {
            let ofToken = rest.prefix { $0.tokenID == first.tokenID }
            rest = rest.dropFirst(ofToken.count)
            let judgment = TokenJudgment(
                of: responses[first.index].token, guardedBy: responses[first.index].breaker,
                after: ofToken.map { responses[$0.index].evidence }, now: now)
            if let judgment { judgments.append(judgment) }
        }
        return judgments
    }

    /// The responses, in which tokens that were stale are replaced by their current versions.
    private func awake(
        _ responses: [TokenResponse], on connection: PostgresConnection
    ) throws -> [TokenResponse] {
        let stale = Set(responses.map(\.token).filter { $0.state == .stale }.map(\.tokenID))
        let current = try current(stale.sorted(), on: connection)
        return responses.map { response in
            var response = response
            response.token = current[response.token.tokenID] ?? response.token
            return response
        }
    }

    private func current(_ tokenIDs: [Int64], on connection: PostgresConnection) throws -> [Int64: Token] {
        guard !tokenIDs.isEmpty else { return [:] }
        let tokens = try Token.all(in: connection.query(.Tokens.readTokens, [.array(tokenIDs)]))
        return Dictionary(tokens.map { ($0.tokenID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Only a suspicion depends on other rejections and the other environment, so they are queried only then.
    private func weighed(
        _ responses: [TokenResponse], now: Instant, on connection: PostgresConnection
    ) throws -> [TokenResponse] {
        let rejected = Set(
            responses.filter { $0.evidence.outcome.tokenVerdict == .suspect }.map(\.token.tokenID))
        guard !rejected.isEmpty else { return responses }
        let inquiry = EnvironmentInquiry(connection: connection, recent: recentPeers)
        let evidence = try inquiry.evidence(rejected, now: now)
        return responses.map { response in
            var response = response
            let environment = evidence[response.token.tokenID]
            response.evidence.environment = environment
            response.evidence.isKnownInOtherEnvironment = environment?.isKnownElsewhere ?? false
            return response
        }
    }
}

/// An address with its fingerprint, in the order in which rows are locked.
private struct FingerprintedAddress: Comparable {
    let address: AppTokenAddress
    let fingerprint: [UInt8]
    /// Its position in the request.
    let position: Int
    let sentAt: Instant?

    /// The values that the tokens of one statement share.
    struct Place: Hashable {
        let appID: Int64
        let place: TokenPlace
    }

    var place: Place { Place(appID: address.appID, place: TokenPlace(address.address)) }
    var hasTopic: Bool { !address.address.topic.isEmpty }

    var addressWithoutTopic: AppTokenAddress {
        var address = address
        address.address.topic = ""
        return address
    }

    static func < (left: FingerprintedAddress, right: FingerprintedAddress) -> Bool {
        left.fingerprint.lexicographicallyPrecedes(right.fingerprint)
    }
}

extension [FingerprintedAddress] {
    fileprivate var keyParameters: [PostgresParameter] {
        [
            .array(map(\.address.appID)), .array(map(\.address.address.provider)),
            .array(map(\.address.address.environment.rawValue)), .array(map(\.address.address.topic)),
            .array(map(\.fingerprint)),
        ]
    }
}
