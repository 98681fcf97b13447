internal import DeliveryModel
internal import PostgresClient
internal import Synchronization
internal import TokenLifecycle

/// A campaign and variant of an app; both empty for notifications without one.
struct CampaignName: Hashable, Sendable {
    let appID: Int64
    let key: String
    let variant: String

    static func == (left: Self, right: Self) -> Bool {
        left.appID == right.appID && left.key.isExactly(right.key) && left.variant.isExactly(right.variant)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(appID)
        hasher.combine(exactly: key)
        hasher.combine(exactly: variant)
    }
}

/// The traits of a push and its target when it was sent.
struct Segment: Hashable, Sendable {
    let appID: Int64
    let provider: String
    let environment: String
    let topic: String
    let pushType: String
    let priority: String
    let traits: InstallationTraits

    static func == (left: Self, right: Self) -> Bool {
        left.appID == right.appID && left.provider.isExactly(right.provider)
            && left.environment.isExactly(right.environment) && left.topic.isExactly(right.topic)
            && left.pushType.isExactly(right.pushType) && left.priority.isExactly(right.priority)
            && left.traits.isExactly(right.traits)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(appID)
        hasher.combine(exactly: topic)
        hasher.combine(exactly: pushType)
        hasher.combine(exactly: traits.appVersion)
        hasher.combine(exactly: traits.osVersion)
        hasher.combine(exactly: traits.language)
    }
}

extension InstallationTraits {
    fileprivate func isExactly(_ other: InstallationTraits) -> Bool {
        platform.isExactly(other.platform) && appVersion.isExactly(other.appVersion)
            && osVersion.isExactly(other.osVersion) && language.isExactly(other.language)
            && permission.isExactly(other.permission)
    }
}

/// A provider's response, word for word.
struct ResponseWords: Hashable, Sendable {
    let provider: String
    let status: Int32
    let reason: String
    let outcomeClass: OutcomeClass

    static func == (left: Self, right: Self) -> Bool {
        left.status == right.status && left.outcomeClass == right.outcomeClass
            && left.provider.isExactly(right.provider) && left.reason.isExactly(right.reason)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(exactly: provider)
        hasher.combine(exactly: reason)
    }
}

/// Assigns ids to the words that rows reference, and caches them. Two words are equal if their bytes are, as
/// in PostgreSQL: Swift considers composed and decomposed letters equal, so rows would depend on the cache.
///
/// Ids are committed before the batch that uses them, so a rollback leaves no invalid ids in the cache.
struct Dimensions: Sendable {
    let campaigns = InternedIDs<CampaignName>(
        intern: .Ingestion.internCampaigns, find: .Ingestion.findCampaigns
    ) { names in
        [.array(names.map(\.appID)), .array(names.map(\.key)), .array(names.map(\.variant))]
    }

    let segments = InternedIDs<Segment>(
        intern: .Ingestion.internSegments, find: .Ingestion.findSegments
    ) { segments in
        [
            .array(segments.map(\.appID)), .array(segments.map(\.provider)),
            .array(segments.map(\.environment)), .array(segments.map(\.topic)),
            .array(segments.map(\.pushType)), .array(segments.map(\.priority)),
            .array(segments.map(\.traits.platform)), .array(segments.map(\.traits.appVersion)),
            .array(segments.map(\.traits.osVersion)), .array(segments.map(\.traits.language)),
            .array(segments.map(\.traits.permission)),
        ]
    }

    let responses = InternedIDs<ResponseWords>(
        intern: .Ingestion.internResponses, find: .Ingestion.findResponses,
        extraParameters: { [.array($0.map(\.outcomeClass.name))] }
    ) { responses in
        [.array(responses.map(\.provider)), .array(responses.map(\.status)), .array(responses.map(\.reason))]
    }
}

final class InternedIDs<Word: Hashable & Sendable>: Sendable {
    typealias Parameters = @Sendable ([Word]) -> [PostgresParameter]

    private let intern: SQLFile
    private let find: SQLFile
    private let extraParameters: Parameters
    private let parameters: Parameters
    private let capacity: Int
    private let known = Mutex<[Word: Int64]>([:])

    /// `intern` inserts the words with `parameters`, then `extraParameters`. `find` returns position and id.
    init(
        intern: SQLFile, find: SQLFile, capacity: Int = 200_000,
        extraParameters: @escaping Parameters = { _ in [] }, parameters: @escaping Parameters
    ) {
        (self.intern, self.find, self.capacity) = (intern, find, capacity)
        (self.extraParameters, self.parameters) = (extraParameters, parameters)
    }

    /// The id of each word, created if missing; `nil` for a `nil` word. Call it outside a transaction.
    func ids(of words: [Word?], on connection: PostgresConnection) throws -> [Int64?] {
        var ids = [Int64?](repeating: nil, count: words.count)
        var unknown: [Word: [Int]] = [:]
        known.withLock { known in
            for (position, word) in words.enumerated() {
                guard let word else { continue }
                ids[position] = known[word]
                if ids[position] == nil { unknown[word, default: []].append(position) }
            }
        }
        guard !unknown.isEmpty else { return ids }
        for (word, id) in try resolve(Array(unknown.keys), on: connection) {
            for position in unknown[word] ?? [] { ids[position] = id }
        }
        return ids
    }

    private func resolve(_ words: [Word], on connection: PostgresConnection) throws -> [Word: Int64] {
        var found = try find(words, on: connection)
        let missing = words.filter { found[$0] == nil }
        if !missing.isEmpty {
            try connection.query(intern, parameters(missing) + extraParameters(missing))
            found.merge(try find(missing, on: connection)) { first, _ in first }
        }
        remember(found)
        return found
    }

    private func find(_ words: [Word], on connection: PostgresConnection) throws -> [Word: Int64] {
        var found: [Word: Int64] = [:]
        for row in try connection.query(find, parameters(words)) {
            found[words[Int(try row.get(0, as: Int64.self)) - 1]] = try row.get(1)
        }
        return found
    }

    private func remember(_ ids: [Word: Int64]) {
        known.withLock { known in
            if known.count + ids.count > capacity { known.removeAll() }
            known.merge(ids) { first, _ in first }
        }
    }
}
