public import DeliveryModel
public import PostgresClient
internal import SQLFiles

/// Knows every token an answer names, and applies what the answers say about them.
///
/// All calls take the connection of the transaction they belong to, and whole batches at a time.
public struct TokenLedger: Sendable {
    private let vault: TokenVault

    public init(vault: TokenVault) {
        self.vault = vault
    }

    /// What each address names; nil where there is no address. A token that nobody knew becomes known here.
    public func resolve(
        _ addresses: [AppTokenAddress?], now: Instant, on connection: PostgresConnection
    ) throws -> [PushTarget?] {
        let asked = addresses.indices.compactMap { position in
            addresses[position].map { FingerprintedAddress($0, vault, position: position) }
        }
        var targets = [PushTarget?](repeating: nil, count: addresses.count)
        guard !asked.isEmpty else { return targets }
        try lookUp(asked, on: connection, into: &targets)
        // The topic may be missing on one side: in the address, or in a token that was first seen without one.
        try lookUpOfAnyTopic(asked.filter { targets[$0.position] == nil }, on: connection, into: &targets)
        let unknown = asked.filter { targets[$0.position] == nil }
        if !unknown.isEmpty {
            try discover(unknown, now: now, on: connection)
            try lookUpOfAnyTopic(unknown, on: connection, into: &targets)
        }
        return targets
    }

    /// Nearly all tokens of a batch are of one app and topic, and all topics are asked for in one round trip.
    private func lookUp(
        _ asked: [FingerprintedAddress], on connection: PostgresConnection, into targets: inout [PushTarget?]
    ) throws {
        let byTopic = Array(Dictionary(grouping: asked, by: \.topic))
        let results = try connection.query(
            byTopic.map { topic, asked in
                PostgresStatement(
                    .Tokens.resolveTokens,
                    [
                        .value(topic.appID), .value(topic.provider), .value(topic.environment.rawValue),
                        .value(topic.name), .array(asked.map(\.fingerprint)),
                    ])
            })
        for (rows, topic) in zip(results, byTopic) { try read(rows, of: topic.value, into: &targets) }
    }

    private func lookUpOfAnyTopic(
        _ asked: [FingerprintedAddress], on connection: PostgresConnection, into targets: inout [PushTarget?]
    ) throws {
        guard !asked.isEmpty else { return }
        let rows = try connection.query(.Tokens.resolveTokensOfAnyTopic, asked.keyParameters)
        try read(rows, of: asked, into: &targets)
    }

    private func read(
        _ rows: PostgresRows, of asked: [FingerprintedAddress], into targets: inout [PushTarget?]
    ) throws {
        let positions: [Int64] = try rows.column(0)
        for (position, target) in zip(positions, try PushTarget.all(in: rows, from: 1)) {
            targets[asked[Int(position) - 1].position] = target
        }
    }

    private func discover(
        _ unknown: [FingerprintedAddress], now: Instant, on connection: PostgresConnection
    ) throws {
        // Sorted, because that is the order in which rows are locked; each once, because a statement cannot insert a row twice.
        let addresses = Dictionary(unknown.map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
            .values.sorted()
        let sealed = try addresses.map { try vault.seal(Array($0.address.address.value.utf8)) }
        try connection.query(
            .Tokens.discoverTokens,
            addresses.keyParameters + [
                .array(addresses.map { $0.address.address.kind.rawValue }), .array(sealed),
                .value(now),
            ])
    }

    /// Lets the rules judge each token by its answers, in the order in which the pushes were sent.
    ///
    /// The write compares the token with what the rules saw; where another transaction was faster, the rules judge again.
    public func apply(
        _ answers: [TokenAnswer], now: Instant, on connection: PostgresConnection
    ) throws {
        let due = due(answers, now: now)
        guard !due.isEmpty else { return }
        var judgements = judge(try addingOtherEnvironments(to: due, on: connection), now: now)
        for _ in 0..<5 where !judgements.isEmpty {
            let written = try write(judgements, now: now, on: connection)
            try record(judgements.filter { written.contains($0.before.tokenID) }, now: now, on: connection)
            judgements = try judgeAgain(
                judgements.filter { !written.contains($0.before.tokenID) }, now: now, on: connection)
        }
        guard judgements.isEmpty else {
            // As if the database had said so: the whole batch is tried again with what is known by then.
            throw PostgresError.server(
                sqlState: .serializationFailure, message: "tokens kept changing",
                statement: SQLFile.Tokens.changeTokens.name)
        }
    }

    /// The answers about tokens for which at least one of them means something. Most say what is known: a push was accepted
    /// for a token that is active.
    private func due(_ answers: [TokenAnswer], now: Instant) -> [TokenAnswer] {
        var tokenIDs: Set<Int64> = []
        for answer in answers where TokenRules.meansSomething(answer.evidence, to: answer.token, now: now) {
            tokenIDs.insert(answer.token.tokenID)
        }
        return tokenIDs.isEmpty ? [] : answers.filter { tokenIDs.contains($0.token.tokenID) }
    }

    private func judge(_ answers: [TokenAnswer], now: Instant) -> [TokenJudgement] {
        Dictionary(grouping: answers, by: \.token.tokenID).values
            .compactMap { answers in
                TokenJudgement(
                    of: answers[0].token, appID: answers[0].appID, after: answers.map(\.evidence), now: now)
            }
            .sorted { $0.before.tokenID < $1.before.tokenID }
    }

    private func judgeAgain(
        _ judgements: [TokenJudgement], now: Instant, on connection: PostgresConnection
    ) throws -> [TokenJudgement] {
        guard !judgements.isEmpty else { return [] }
        let rows = try connection.query(.Tokens.readTokens, [.array(judgements.map(\.before.tokenID))])
        var current: [Int64: Token] = [:]
        for token in try Token.all(in: rows, from: 0) { current[token.tokenID] = token }
        return judgements.compactMap { (judgement: TokenJudgement) -> TokenJudgement? in
            guard let token = current[judgement.before.tokenID] else { return nil }
            return TokenJudgement(
                of: token, appID: judgement.appID, after: judgement.evidence, now: now)
        }
    }

    /// Only suspicion asks what the other environment knows, so only then is it looked up.
    private func addingOtherEnvironments(
        to answers: [TokenAnswer], on connection: PostgresConnection
    ) throws -> [TokenAnswer] {
        let suspected = Set(
            answers.filter { $0.evidence.outcome.tokenVerdict == .suspect }.map(\.token.tokenID))
        guard !suspected.isEmpty else { return answers }
        let rows = try connection.query(.Tokens.findKnownElsewhere, [.array(suspected.sorted())])
        let knownElsewhere = Set(try rows.map { try $0.get(0, as: Int64.self) })
        return answers.map { answer in
            var answer = answer
            answer.evidence.isKnownInOtherEnvironment = knownElsewhere.contains(answer.token.tokenID)
            return answer
        }
    }

    /// The ids of the tokens that were still as the rules saw them, those that nothing had to be written to included.
    private func write(
        _ judgements: [TokenJudgement], now: Instant, on connection: PostgresConnection
    ) throws -> Set<Int64> {
        let changed = judgements.filter { $0.before != $0.after }
        var written = Set(judgements.filter { $0.before == $0.after }.map(\.before.tokenID))
        guard !changed.isEmpty else { return written }
        let rows = try connection.query(
            .Tokens.changeTokens,
            [
                .array(changed.map(\.before.tokenID)),
                .array(changed.map(\.before.state.rawValue)),
                .nullableArray(changed.map(\.before.lastRegisteredAt)),
                .nullableArray(changed.map(\.before.lastAcceptedAt)),
                .nullableArray(changed.map(\.before.firstRefusedAt)),
                .nullableArray(changed.map(\.before.lastRefusedAt)),
                .array(changed.map(\.after.state.rawValue)),
                .nullableArray(changed.map(\.after.cause?.rawValue)),
                .nullableArray(changed.map(\.after.lastAcceptedAt)),
                .nullableArray(changed.map(\.after.firstRefusedAt)),
                .nullableArray(changed.map(\.after.lastRefusedAt)),
                .value(now),
            ])
        for row in rows { written.insert(try row.get(0)) }
        return written
    }

    private func record(
        _ judgements: [TokenJudgement], now: Instant, on connection: PostgresConnection
    ) throws {
        let transitions = judgements.flatMap(\.transitions)
        try connection.record(transitions, now: now)
    }
}

/// One answer about one token.
public struct TokenAnswer: Sendable {
    public var appID: Int64
    public var token: Token
    public var evidence: TokenEvidence

    public init(appID: Int64, token: Token, evidence: TokenEvidence) {
        self.appID = appID
        self.token = token
        self.evidence = evidence
    }
}

/// What the rules made of one token and the answers about it.
struct TokenJudgement {
    let appID: Int64
    let before: Token
    let after: Token
    let evidence: [TokenEvidence]
    let transitions: [TokenTransition]

    /// Nil when nothing has to be written.
    init?(of token: Token, appID: Int64, after evidence: [TokenEvidence], now: Instant) {
        let inOrder = evidence.sorted { $0.sentAt < $1.sentAt }
        var current = token
        var transitions: [TokenTransition] = []
        for answer in inOrder {
            if let change = TokenRules.change(of: current, after: answer) {
                transitions.append(
                    TokenTransition(
                        appID: appID, tokenID: token.tokenID, from: current.state, change: change,
                        evidence: LedgerEvidence(answer, about: current)))
            }
            current = TokenRules.token(current, after: answer, now: now)
        }
        guard current != token || !transitions.isEmpty else { return nil }
        self.appID = appID
        self.before = token
        self.after = current
        self.evidence = inOrder
        self.transitions = transitions
    }
}

/// An address with the fingerprint it is found by, in the order in which rows are locked.
private struct FingerprintedAddress: Comparable {
    let address: AppTokenAddress
    let fingerprint: [UInt8]
    /// Where it stands among those that were asked for.
    let position: Int

    /// What the tokens of one statement have in common.
    struct Topic: Hashable {
        let appID: Int64
        let provider: String
        let environment: Environment
        let name: String
    }

    var topic: Topic {
        Topic(
            appID: address.appID, provider: address.address.provider,
            environment: address.address.environment, name: address.address.topic)
    }

    init(_ address: AppTokenAddress, _ vault: TokenVault, position: Int) {
        self.address = address
        self.position = position
        self.fingerprint = vault.fingerprint(of: address.address.value)
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
