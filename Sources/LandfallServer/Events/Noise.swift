internal import DeliveryModel
internal import HTTPTypes
internal import Ingestion

/// The part of a request that its address pays for.
struct Noise: Equatable {
    /// The events that pay.
    private(set) var count = 0
    /// Hashes of true events that were repeated: the first few repeats of each are free.
    private(set) var repeats: [Int] = []

    /// A request that is worth something, or that failed through no fault of its client's.
    static let none = Noise(count: 0)
    /// A request without events: it pays as much as one event.
    static let request = Noise(count: 1)

    /// A new installation pays as much as one event, and as much again for each new value beyond the fifth. A known installation
    /// to which no push was accepted yet pays for each new value.
    static func registration(isNew: Bool, newValues: Int) -> Noise {
        Noise(count: isNew ? max(1, newValues - 4) : newValues)
    }

    private init(count: Int) {
        self.count = count
    }

    /// The noise of a request whose events, if any, have no verdicts. Rejections for which the request is to be repeated cost nothing.
    init(of status: HTTPResponse.Status) {
        self = status.kind == .serverError || status == .tooManyRequests ? .none : .request
    }

    /// An event is free if it changed a notification whose response is known, or that its poster has certainly received. Either
    /// happens only a few times for each push. Everything else pays: rejected items, and events about notifications that nothing
    /// else is known about.
    init(of items: [BatchItem], _ verdicts: [Verdict]) {
        guard !items.isEmpty else {
            self = .request
            return
        }
        // By index and not as a sequence: an iterator would copy each item, with all the strings of its event.
        for index in 0..<min(items.count, verdicts.count) {
            switch verdicts[index].outcome {
            case .accepted where verdicts[index].isMatched || items[index].isProven: break
            case .duplicate where verdicts[index].isMatched || items[index].isProven:
                repeats.append(items[index].eventHash)
            case .accepted, .duplicate, .rejected, .overQuota: count += 1
            }
        }
    }
}

extension BatchItem {
    /// A hash that is equal for events that say the same.
    fileprivate var eventHash: Int {
        guard case .success(let event) = content else { return 0 }
        var hasher = Hasher()
        hasher.combine(appID)
        hasher.combine(event.name)
        if case .device(let report) = event.content { hasher.combine(report.kind) }
        return hasher.finalize()
    }
}
