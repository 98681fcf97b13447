internal import DeliveryModel
internal import Foundation

/// A batch's events about one notification, merged, because a statement cannot update a row twice.
struct DeliveryRecord: Sendable {
    /// A provider's response, with the database ids of its words.
    struct ResolvedResponse: Sendable {
        let campaignID: Int64
        let segmentID: Int64
        let tokenID: Int64?
        var installationID: Int64?
        let responseID: Int64
        let outcome: ResponseOutcome
    }

    /// `response_rank` of a row without a response.
    static let noResponse: Int16 = 99

    var key: DeliveryKey
    /// Whether the key's date is the time inside a version 7 id. The row may be elsewhere: see ``movesAway``.
    let isDatedByID: Bool
    var state: DeliveryState = []
    var reporters = Reporters()
    /// Milliseconds from the key's date to the send time in the first response; `nil` if they are equal.
    var sentAfter: Int64?
    var campaignID: Int64?
    var segmentID: Int64?
    var tokenID: Int64?
    var installationID: Int64?
    var responseID: Int64?
    var responseRank = noResponse
    var facts = DeliveryFacts()
    /// Milliseconds from sending to the first device event per kind. Clocks differ, so they may be negative.
    var arrivedAfter: Int64?
    var presentedAfter: Int64?
    var clickedAfter: Int64?
    var dismissedAfter: Int64?
    /// The kinds of device event that did not state when they happened.
    var timedByReceipt: DeliveryState = []
    /// The version of the app that the first arrival named.
    var arrivedVersion: String?
    var arrivedKit: String?
    /// The evidence of the first arrival that the extension did not report.
    var witness: DeviceReport.Evidence?
    /// The state of earlier rows. The times of these kinds of device event are kept.
    var settled: DeliveryState = []

    init(key: DeliveryKey, isDatedByID: Bool) {
        (self.key, self.isDatedByID) = (key, isDatedByID)
    }

    /// The time the push was sent, as far as a response stated it.
    var pushedAt: Instant { key.sentAt + Span(milliseconds: sentAfter ?? 0) }

    /// Whether the sender's time is in another quarter hour than the id's. The row is then under the sender's
    /// time, and a pointer under the id's time leads there, because devices know only the id.
    var movesAway: Bool { sentAfter != nil && pushedAt.startOfQuarter != key.sentAt.startOfQuarter }

    var stateIfNew: DeliveryState { installationID.map { reporters.attributed(state, to: $0) } ?? state }

    /// - Parameter reporter: a device event's installation; `nil` if it names no registered device.
    mutating func add(_ contribution: DeliveryState, from reporter: Int64?) {
        state = state.joined(with: contribution)
        reporters.add(contribution, from: reporter)
    }

    /// - Parameter statedAt: when the push was sent according to the response; `nil` if it does not say.
    mutating func add(_ response: ProviderResponse, _ resolved: ResolvedResponse, statedAt: Instant?) {
        // The first response decides, even by stating no time; then the id's time counts.
        if campaignID == nil { stateSendTime(statedAt) }
        campaignID = campaignID ?? resolved.campaignID
        segmentID = segmentID ?? resolved.segmentID
        tokenID = tokenID ?? resolved.tokenID
        installationID = installationID ?? resolved.installationID
        let outcome = resolved.outcome.outcomeClass
        let rank = response.isFinal ? outcome.finalRank : outcome.rank
        facts.add(response.facts, counts: rank < responseRank)
        if rank < responseRank {
            responseID = resolved.responseID
            responseRank = rank
        }
    }

    mutating func add(_ report: DeviceReport) {
        facts.add(report.facts)
        guard report.bit != .witnessed else {
            if !settled.contains(.witnessed) { witness = witness ?? report.evidence }
            return
        }
        if report.kind == .arrival, !settled.contains(.arrived) {
            arrivedVersion = arrivedVersion ?? report.appVersion
            arrivedKit = arrivedKit ?? report.kit
        }
        guard let occurredAt = report.occurredAt, !settled.contains(report.kind.bit) else { return }
        noteTime(of: report.kind, at: occurredAt, isByReceipt: report.isTimedByReceipt)
    }

    mutating func stateSendTime(_ statedAt: Instant?) {
        guard isDatedByID, let statedAt, statedAt != key.sentAt else { return }
        sentAfter = (statedAt - key.sentAt).milliseconds
    }

    /// Keeps the earliest time; of two equal times, the one that a device stated.
    mutating func noteTime(of kind: DeviceReport.Kind, at instant: Instant, isByReceipt: Bool) {
        let elapsed = (instant - key.sentAt).milliseconds
        let known = self[kind] ?? .max
        guard elapsed < known || (elapsed == known && !isByReceipt) else { return }
        self[kind] = elapsed
        if isByReceipt { timedByReceipt.insert(kind.bit) } else { timedByReceipt.remove(kind.bit) }
    }

    subscript(kind: DeviceReport.Kind) -> Int64? {
        get {
            switch kind {
            case .arrival: arrivedAfter
            case .presentation: presentedAfter
            case .click: clickedAfter
            case .dismissal: dismissedAfter
            }
        }
        set {
            switch kind {
            case .arrival: arrivedAfter = newValue
            case .presentation: presentedAfter = newValue
            case .click: clickedAfter = newValue
            case .dismissal: dismissedAfter = newValue
            }
        }
    }
}
