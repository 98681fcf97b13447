public import DeliveryModel
internal import PostgresClient
internal import Presets
public import Trust
public import Vault

/// Posts quarantined items again, through the same validator and writer as any request, with the rights of
/// the keys that posted them. What another sender posted is read through its preset again, without checking
/// the signature, which was checked when it came in; it is posted only if all of it can be read now. If the
/// preset now finds only what is not about a push, it stays.
///
/// It is safe to stop at any time and to run again: an item that was written but not yet removed is a
/// duplicate the next time.
public struct QuarantineReplay {
    public typealias Write = ([BatchItem]) throws -> [Verdict]

    /// How many events are written at once, about. An item of a preset may have thousands.
    static let sliceSize = 1_000

    private let stock: QuarantineStock
    private let vault: TokenVault
    private let retention: Span
    private let additionalProviders: [String]
    private let trust: TrustRules

    /// - Parameter retention: how long rows are kept. Older events and those of dropped days stay rejected.
    public init(
        _ stock: QuarantineStock, vault: TokenVault, retention: Span = .standardRetention,
        additionalProviders: [String] = [], trust: TrustRules = TrustRules()
    ) {
        (self.stock, self.vault, self.retention) = (stock, vault, retention)
        (self.additionalProviders, self.trust) = (additionalProviders, trust)
    }

    /// Counts the items that would be posted, and those that would be rejected again. Only reads.
    public func plan(_ filter: QuarantineFilter, now: Instant) throws -> QuarantineReplayPlan {
        var plan = QuarantineReplayPlan()
        let taxonomy = try RejectionTaxonomy(from: stock.connection)
        var walk = try stock.walk(filter, withText: true)
        while let items = try walk.next() {
            let retention = try currentRetention(now)
            for item in items {
                let isPostable = try read(item, taxonomy, retention, now: now).isPostable
                if isPostable { plan.postable += 1 } else { plan.rejected += 1 }
            }
        }
        return plan
    }

    /// Posts the items that are valid now, and removes those that are accepted or duplicates. `progress`
    /// receives the result so far after each slice; if `isStopped` is true then, the replay ends cleanly.
    ///
    /// - Throws: `LockTaken`, and what writing throws.
    public func apply(
        _ filter: QuarantineFilter, now: Instant, isStopped: () -> Bool = { false },
        progress: (QuarantineReplayResult) -> Void = { _ in }, write: Write
    ) throws -> QuarantineReplayResult {
        try stock.connection.withLock(.replay, of: stock.appID) { lock in
            var result = QuarantineReplayResult()
            let taxonomy = try RejectionTaxonomy(from: stock.connection)
            var walk = try stock.walk(filter, withText: true)
            while !isStopped(), let items = try walk.next() {
                let retention = try currentRetention(now)
                var rest = items[...]
                while !isStopped(), !rest.isEmpty {
                    try lock.check()
                    let slice = try nextSlice(of: &rest) { try read($0, taxonomy, retention, now: now) }
                    try replay(slice, into: &result, write)
                    progress(result)
                }
            }
            result.wasStopped = isStopped()
            return result
        }
    }

    private typealias ReadItem = (itemID: Int64, parts: [BatchItem])

    private func nextSlice(
        of rest: inout ArraySlice<QuarantinedItem>, _ read: (QuarantinedItem) throws -> [BatchItem]
    ) throws -> [ReadItem] {
        var slice: [ReadItem] = []
        var size = 0
        while size < Self.sliceSize, let item = rest.popFirst() {
            slice.append((item.itemID, try read(item)))
            size += slice[slice.count - 1].parts.count
        }
        return slice
    }

    private func replay(
        _ items: [ReadItem], into result: inout QuarantineReplayResult, _ write: Write
    ) throws {
        let posted = items.filter(\.parts.isPostable)
        var verdicts = try written(posted.flatMap(\.parts), write)[...]
        var done: [Int64] = []
        for (itemID, parts) in posted {
            let outcomes = verdicts.prefix(parts.count).map(\.outcome)
            verdicts = verdicts.dropFirst(parts.count)
            guard outcomes.allSatisfy({ [.accepted, .duplicate].contains($0) }) else { continue }
            if outcomes.contains(.accepted) { result.accepted += 1 } else { result.duplicates += 1 }
            done.append(itemID)
        }
        result.rejected += Int64(items.count - done.count)
        _ = try stock.remove(done, asReplayed: true)
    }

    /// The last item of a slice may have many parts.
    private func written(_ parts: [BatchItem], _ write: Write) throws -> [Verdict] {
        try stride(from: 0, to: parts.count, by: Self.sliceSize).flatMap { start in
            try write(Array(parts[start..<min(start + Self.sliceSize, parts.count)]))
        }
    }

    private func currentRetention(_ now: Instant) throws -> Span {
        min(retention, now - (try stock.connection.keptFrom()))
    }

    /// The parts of an item: one, or all that a preset finds in it.
    private func read(
        _ item: QuarantinedItem, _ taxonomy: RejectionTaxonomy, _ retention: Span, now: Instant
    ) throws -> [BatchItem] {
        let text = try item.text(vault)
        let validator = EventValidator(
            appID: stock.appID, poster: item.poster, now: now, receivedAt: item.receivedAt,
            retention: retention, additionalProviders: additionalProviders, trust: trust,
            taxonomy: taxonomy)
        if let preset = item.preset.flatMap(Preset.named) {
            let post = PresetPost(headers: [:], body: text, secret: nil, now: item.receivedAt)
            return BatchItem.items(
                of: preset.read(post), in: text, of: preset.name, appID: stock.appID, validator)
        }
        let unknown = item.preset.map {
            ItemRejection(.unreadPost, "this version of landfall has no preset '\($0)'")
        }
        return [
            BatchItem(
                appID: stock.appID, text: text[...], preset: item.preset, poster: item.poster,
                content: unknown.map { .failure($0) } ?? validator.decode(text[...]))
        ]
    }
}

public struct QuarantineReplayPlan: Hashable, Sendable {
    /// Items that would be posted, because they are valid now.
    public var postable: Int64 = 0
    /// Items that would be rejected again, and stay.
    public var rejected: Int64 = 0

    public init() {}
}

public struct QuarantineReplayResult: Hashable, Sendable {
    public var accepted: Int64 = 0
    public var duplicates: Int64 = 0
    /// Items rejected again; they stay in quarantine.
    public var rejected: Int64 = 0
    public var wasStopped = false

    public init() {}
}

extension [BatchItem] {
    /// Whether the item has parts, and all of them can be posted.
    fileprivate var isPostable: Bool { !isEmpty && allSatisfy(\.isValid) }
}

extension BatchItem {
    fileprivate var isValid: Bool {
        guard case .success = content else { return false }
        return true
    }
}
