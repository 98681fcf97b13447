internal import DeliveryModel
internal import Foundation
internal import Ingestion
internal import Synchronization

/// What this server recorded last. It costs ingestion one lock per post, at most 20 lines per app and second.
final class EventTail: Sendable {
    /// Beyond that, the app that posted nothing for the longest time is forgotten.
    static let mostApps = 200

    private struct State {
        var apps: [Int64: AppTail] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Adds the items of one post, all of one app, after their commit.
    func add(_ items: [BatchItem], _ verdicts: [Verdict], at now: Instant) {
        guard !items.isEmpty else { return }
        let appID = items[0].appID
        state.withLock { state in
            if state.apps[appID] == nil, state.apps.count >= Self.mostApps {
                let oldest = state.apps.min { $0.value.second < $1.value.second }
                if let oldest { state.apps[oldest.key] = nil }
            }
            state.apps[appID, default: AppTail()].add(items, verdicts, at: now, lastNumber: &state.lastNumber)
        }
    }

    /// The app's entries after this number, newest first.
    func entries(of appID: Int64, after number: Int = 0, at now: Instant) -> [AppTail.Entry] {
        state.withLock { state in
            state.apps[appID]?.read(after: number, at: now, lastNumber: &state.lastNumber) ?? []
        }
    }
}

/// The newest items of one app, with a sample of each second. A value with the time passed in, for tests.
struct AppTail: Sendable {
    struct Entry: Hashable, Sendable {
        enum Content: Hashable, Sendable {
            case line(TailLine)
            /// How many further items were posted in the same second.
            case leftOut(Int)
        }

        /// Later entries have higher numbers.
        let number: Int
        let at: Instant
        let content: Content
    }

    static let most = 100
    static let mostPerSecond = 20

    private var entries: [Entry] = []
    /// The start of the second in which items were last posted.
    private(set) var second = Instant(millisecondsSinceEpoch: 0)
    private var taken = 0
    private var leftOut = 0

    /// Adds the items of one post; if the second has too little room, some, evenly spread over the post.
    ///
    /// - Parameter lastNumber: the number of the latest entry of any app.
    mutating func add(_ items: [BatchItem], _ verdicts: [Verdict], at now: Instant, lastNumber: inout Int) {
        close(at: now, &lastNumber)
        second = now.startOfSecond
        let count = min(items.count, verdicts.count)
        let shown = min(count, Self.mostPerSecond - taken)
        taken += shown
        leftOut += count - shown
        // By index: an iterator would copy each item, with all the strings of its event.
        for position in 0..<shown {
            let index = position * count / shown
            keep(.line(TailLine(items[index], verdicts[index])), at: now, &lastNumber)
        }
    }

    /// The entries after this number, newest first. The items that were left out of a second are an entry
    /// once the second is over.
    mutating func read(after number: Int, at now: Instant, lastNumber: inout Int) -> [Entry] {
        close(at: now, &lastNumber)
        return entries.reversed().prefix { $0.number > number }.map(\.self)
    }

    private mutating func close(at now: Instant, _ lastNumber: inout Int) {
        guard now.startOfSecond != second else { return }
        let missed = leftOut
        (taken, leftOut) = (0, 0)
        if missed > 0 { keep(.leftOut(missed), at: second, &lastNumber) }
    }

    private mutating func keep(_ content: Entry.Content, at instant: Instant, _ lastNumber: inout Int) {
        lastNumber += 1
        if entries.count >= Self.most { entries.removeFirst(entries.count - Self.most + 1) }
        entries.append(Entry(number: lastNumber, at: instant, content: content))
    }
}

extension Instant {
    fileprivate var startOfSecond: Instant {
        Instant(millisecondsSinceEpoch: millisecondsSinceEpoch - millisecondsSinceEpoch % 1_000)
    }
}

/// The shown part of one posted item: no token, no account, and only the code of a rejected item.
struct TailLine: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case accepted
        case duplicate
        case rejected(ItemRejection.Code)
        case overQuota
    }

    struct Response: Hashable, Sendable {
        let provider: String
        let status: Int
        let reason: String?
    }

    /// As in the item's `type`; `nil` if the item could not be read.
    private(set) var type: String?
    let outcome: Outcome
    private(set) var response: Response?
    /// Empty without a campaign; device events name none.
    private(set) var campaign = ""
    private(set) var name: NotificationName?

    init(_ item: BatchItem, _ verdict: Verdict) {
        outcome =
            switch verdict.outcome {
            case .accepted: .accepted
            case .duplicate: .duplicate
            case .rejected(let rejection): .rejected(rejection.code)
            case .overQuota: .overQuota
            }
        guard case .success(let event) = item.content else { return }
        name = event.name
        switch event.content {
        case .response(let posted):
            type = "response"
            response = Response(
                provider: posted.provider, status: posted.status, reason: posted.reasonWithoutToken)
            campaign = posted.campaign
        case .device(let report): type = report.kind.rawValue
        case .recall: type = "recall"
        }
    }
}

extension ProviderResponse {
    /// The messages of some providers quote the token, and a sender may post such a message as the reason.
    fileprivate var reasonWithoutToken: String? {
        guard case .token(let address) = target else { return reason }
        return reason?.replacingOccurrences(of: address.value, with: "…", options: .caseInsensitive)
    }
}
