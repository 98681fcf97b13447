public import DeliveryModel
internal import Foundation

/// One row of the ledger: what a rule did to a token, and its evidence.
public struct LedgerEntry: Hashable, Decodable, Sendable {
    public let transitionID: Int64
    public let tokenID: Int64
    /// The instant of Landfall's decision.
    public let at: Instant
    /// `nil` if the token was not known before.
    public let fromState: String?
    public let toState: String
    /// As recorded; ``rule`` is `nil` if this version of Landfall does not know it.
    public let ruleName: String
    public let evidence: RecordedEvidence
    /// The token run that did it, such as a sweep.
    public let runID: Int64?

    public var rule: TokenRule? { TokenRule(rawValue: ruleName) }

    /// False if a rule decided to change nothing and that was worth recording.
    public var changesState: Bool { fromState != toState }

    /// The rule in plain words.
    public var words: RuleWords {
        switch rule {
        case .registered where !changesState:
            "What senders are told of the token has changed: its device, topic, kind, spelling or keys, or whether feeds contain it."
        case .accepted where !changesState:
            "The first push to it was accepted: from now on, feeds contain it."
        default:
            rule?.words(leadingTo: TokenState(rawValue: toState))
                ?? RuleWords("This version of Landfall does not know the rule \(ruleName).")
        }
    }
}

/// The newest rows of the ledger about some tokens.
public struct LedgerExtract: Hashable, Sendable {
    /// In time order.
    public let entries: [LedgerEntry]
    /// The number of older rows that were left out.
    public let earlierCount: Int64

    /// The entry that led to a token's current state.
    func lastChange(of tokenID: Int64) -> LedgerEntry? {
        entries.last { $0.tokenID == tokenID && $0.changesState }
    }
}

/// The evidence of a rule as recorded in the ledger: names and values. Members that this version of
/// Landfall does not know are kept and shown too.
public struct RecordedEvidence: Hashable, Decodable, Sendable {
    /// The members by name. Instants are milliseconds since 1970, as they were written.
    public let members: [JSONValue.Member]

    private enum CodingKeys: CodingKey {
        case evidence
    }

    public init(from row: any Decoder) throws {
        self.init(json: try row.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .evidence))
    }

    /// Empty if the text is not a JSON object.
    init(json text: String) {
        guard case .object(let members) = JSONValue(text: text) else {
            self.members = []
            return
        }
        self.members = members
    }

    private init(members: [JSONValue.Member]) {
        self.members = members
    }

    /// The names whose values are instants.
    private static let instants: Set = [
        "accepted_at", "expired_at", "first_rejected_at", "invalid_since", "other_accepted_at",
        "other_registered_at", "registered_at", "sent_at", "silent_since", "stale_since",
    ]

    private func value(_ name: String) -> JSONValue? {
        members.first { $0.key == name }?.value
    }

    func text(_ name: String) -> String? {
        guard case .string(let text) = value(name) else { return nil }
        return text
    }

    func number(_ name: String) -> Int64? {
        guard case .integer(let number) = value(name) else { return nil }
        return number
    }

    func instant(_ name: String) -> Instant? {
        number(name).map { Instant(millisecondsSinceEpoch: $0) }
    }

    func isTrue(_ name: String) -> Bool {
        value(name) == .bool(true)
    }

    /// The object under a name; `nil` if there is none.
    func object(_ name: String) -> RecordedEvidence? {
        guard case .object(let members) = value(name) else { return nil }
        return RecordedEvidence(members: members)
    }

    /// As recorded, with instants in RFC 3339.
    func document(_ clock: StoryClock) -> JSONValue {
        .object(
            members.map { member in
                if let inner = object(member.key) {
                    return JSONValue.Member(member.key, inner.document(clock))
                }
                guard Self.instants.contains(member.key), let instant = instant(member.key) else {
                    return member
                }
                return JSONValue.Member(member.key, clock.document(instant))
            })
    }
}

extension JSONValue {
    /// Parses a document; `nil` if the text is not JSON. Members of objects are sorted by name,
    /// because `JSONDecoder` does not keep their order.
    init?(text: String) {
        guard let read = try? JSONDecoder().decode(ReadValue.self, from: Data(text.utf8)) else { return nil }
        self = read.value
    }
}

private struct ReadValue: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let read = try? container.decode(Bool.self) {
            value = .bool(read)
        } else if let read = try? container.decode(Int64.self) {
            value = .integer(read)
        } else if let read = try? container.decode(Double.self) {
            value = .number(read)
        } else if let read = try? container.decode(String.self) {
            value = .string(read)
        } else if let read = try? container.decode([ReadValue].self) {
            value = .array(read.map(\.value))
        } else {
            let members = try container.decode([String: ReadValue].self)
            value = .object(
                members.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value.value) })
        }
    }
}
