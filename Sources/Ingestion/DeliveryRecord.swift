internal import DeliveryModel
internal import Foundation

/// What a batch has to say about one notification: its events merged, because a statement cannot touch a row twice.
struct DeliveryRecord: Sendable {
    /// What a provider's answer says, with the ids its words have in the database.
    struct Answer: Sendable {
        let campaignID: Int64
        let segmentID: Int64
        let tokenID: Int64?
        var installationID: Int64?
        let answerID: Int64
        let outcome: Outcome
    }

    /// `answer_rank` of a row without an answer.
    static let noAnswer: Int16 = 99

    let key: DeliveryKey
    var state: DeliveryState = []
    var campaignID: Int64?
    var segmentID: Int64?
    var tokenID: Int64?
    var installationID: Int64?
    var answerID: Int64?
    var answerRank = noAnswer
    var refusedAt: Instant?
    var collapseID: String?
    var action: String?
    /// Milliseconds from sending to the first report of each kind. Clocks may disagree, so they may be negative.
    private(set) var arrivedAfter: Int64?
    private(set) var presentedAfter: Int64?
    private(set) var clickedAfter: Int64?
    private(set) var dismissedAfter: Int64?
    /// What earlier rows say. Of such kinds of report the times stand.
    private var settled: DeliveryState = []

    init(key: DeliveryKey) {
        self.key = key
    }

    mutating func add(_ response: ProviderResponse, _ answer: Answer) {
        campaignID = campaignID ?? answer.campaignID
        segmentID = segmentID ?? answer.segmentID
        tokenID = tokenID ?? answer.tokenID
        installationID = installationID ?? answer.installationID
        if answer.outcome.outcomeClass.rank < answerRank {
            answerID = answer.answerID
            answerRank = answer.outcome.outcomeClass.rank
        }
        refusedAt = refusedAt ?? response.invalidSince
        collapseID = collapseID ?? response.collapseID
    }

    mutating func add(_ report: DeviceReport) {
        action = action ?? report.action
        guard let occurredAt = report.occurredAt, !settled.contains(report.kind.bit) else { return }
        noteTime(of: report.kind, at: occurredAt)
    }

    /// Adds what an earlier row about the same notification says, which lay under another key.
    mutating func add(_ taken: TakenDelivery) {
        state.formUnion(taken.state)
        settled.formUnion(taken.state)
        campaignID = campaignID ?? taken.campaignID
        segmentID = segmentID ?? taken.segmentID
        tokenID = tokenID ?? taken.tokenID
        installationID = installationID ?? taken.installationID
        if taken.answerRank < answerRank {
            answerID = taken.answerID
            answerRank = taken.answerRank
        }
        refusedAt = refusedAt ?? taken.refusedAt
        collapseID = collapseID ?? taken.collapseID
        action = action ?? taken.action
        for (kind, instant) in taken.occurredAt { noteTime(of: kind, at: instant) }
    }

    /// The earliest one counts.
    private mutating func noteTime(of kind: DeviceReport.Kind, at instant: Instant) {
        let elapsed = (instant - key.sentAt).milliseconds
        switch kind {
        case .arrival: arrivedAfter = min(arrivedAfter ?? elapsed, elapsed)
        case .presentation: presentedAfter = min(presentedAfter ?? elapsed, elapsed)
        case .click: clickedAfter = min(clickedAfter ?? elapsed, elapsed)
        case .dismissal: dismissedAfter = min(dismissedAfter ?? elapsed, elapsed)
        }
    }
}
