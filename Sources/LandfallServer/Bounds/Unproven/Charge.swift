internal import DeliveryModel
internal import HTTPTypes
internal import Ingestion

/// What devices may add to the database without a proof, by quota. The names are those of the metric.
enum Subject: Int, CaseIterable, Sendable {
    case events
    case installations
    /// Token values of installations to which no push was accepted yet.
    case values

    /// The number that one unit of the app's quota allows: an installation may have several values.
    var perUnit: Int64 { self == .values ? 4 : 1 }
}

/// An amount of each subject.
struct Amounts: Hashable, Sendable {
    private var lanes = SIMD4<Int64>()

    subscript(subject: Subject) -> Int64 {
        get { lanes[subject.rawValue] }
        set { lanes[subject.rawValue] = newValue }
    }

    static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.lanes &+= right.lanes
        return sum
    }
}

/// What devices of one app recorded within an hour, and what was rejected because it was beyond a quota.
struct Use: Hashable, Sendable {
    var recorded = Amounts()
    var rejected = Amounts()

    static func + (left: Self, right: Self) -> Self {
        Use(recorded: left.recorded + right.recorded, rejected: left.rejected + right.rejected)
    }
}

/// The price of a request with a device key, by its outcome (docs/trust.md): what its address pays, and what
/// it uses of its app's quotas.
struct Charge: Equatable, Sendable {
    /// The events that the address pays for.
    var noise = 0
    /// Hashes of true events that were repeated: the first few repeats of each are free.
    var repeats: [Int] = []
    var use = Use()
    /// Events that changed a notification whose response is known: a credit of the address and device.
    var confirmed: Int64 = 0

    /// A request that is worth something, or that failed through no fault of its client's.
    static let none = Charge()
    /// A request without events: it pays as much as one event.
    static let request = Charge(noise: 1)

    /// A new installation pays as much as one event, and as much again for each new value beyond the fifth. A
    /// known installation to which no push was accepted yet pays for each new value.
    static func registration(isNew: Bool, newValues: Int) -> Charge {
        var charge = Charge(noise: isNew ? max(1, newValues - 4) : newValues)
        charge.use.recorded[.installations] = isNew ? 1 : 0
        charge.use.recorded[.values] = Int64(newValues)
        return charge
    }

    /// A registration beyond a quota.
    static func rejected(_ subject: Subject) -> Charge {
        var charge = Charge.request
        charge.use.rejected[subject] = 1
        return charge
    }
}

extension Charge {
    /// The price of a request whose events, if any, have no verdicts. Rejections for which the request is to
    /// be repeated cost nothing.
    init(of status: HTTPResponse.Status) {
        self = status.kind == .serverError || status == .tooManyRequests ? .none : .request
    }

    /// An event is free if it changed a notification whose response is known, or that its poster has
    /// certainly received. Either happens only a few times for each push. Everything else pays: rejected
    /// items, and events about notifications that nothing else is known about.
    init(of items: [BatchItem], _ verdicts: [Verdict]) {
        self = items.isEmpty ? .request : .none
        // By index: an iterator would copy each item, with all the strings of its event.
        for index in 0..<min(items.count, verdicts.count) {
            let isMatched = verdicts[index].isMatched
            switch verdicts[index].outcome {
            case .accepted where isMatched: confirmed += 1
            case .accepted where items[index].isProven: break
            case .duplicate where isMatched || items[index].isProven: repeats.append(items[index].eventHash)
            case .accepted:
                noise += 1
                use.recorded[.events] += 1
            case .overQuota:
                noise += 1
                use.rejected[.events] += 1
            case .duplicate, .rejected: noise += 1
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
