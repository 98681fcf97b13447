internal import Foundation

/// The simplest correct implementation: one notification, updated request by request.
struct ReferenceRow {
    private var bits: ReferenceBits = []
    /// `nil` if it is the instant at which the first event was received.
    private var sentAt: Int64?
    private var isDated = false
    private var hasResponse = false
    private var push: PushWords?
    private var response: ResponseWords?
    private var responseRank = Int.max
    private var target = FoundTarget()
    private var times: [Int64?] = [nil, nil, nil, nil]
    private var rejectedAt: Int64?
    private var action: String?
    private var collapseID: String?
    private var arrivedVersion: String?

    /// Records one request's events about the notification in their order. Returns for each whether it adds something new.
    mutating func record(_ events: [MeantEvent], _ find: (MeantResponse) -> (FoundTarget, DeviceTraits?))
        -> [Bool]
    {
        date(events)
        let before = bits
        let verdicts = events.map { event in
            let said = ReferenceBits.said(by: event)
            defer { bits = bits.adding(said) }
            return bits.adding(said) != bits
        }
        // Events that add nothing new change nothing.
        if bits != before { merge(events, find, known: before) }
        return verdicts
    }

    /// Sets the date to that of the first response; until there is one, to that of the first event, which may have none.
    private mutating func date(_ events: [MeantEvent]) {
        if let responded = events.first(where: { $0.response != nil }), !hasResponse {
            sentAt = responded.sentAt
            hasResponse = true
        } else if !isDated {
            sentAt = events.first?.sentAt
        }
        isDated = true
    }

    /// - Parameter known: the bits before. A known event keeps its time, even if it has none.
    private mutating func merge(
        _ events: [MeantEvent], _ find: (MeantResponse) -> (FoundTarget, DeviceTraits?), known: ReferenceBits
    ) {
        let responded = events.filter { $0.response != nil }
        let saysTarget = responded.contains { !known.isSuperset(of: .said(by: $0)) }
        for event in events {
            if let said = event.response { merge(said, find(said), saysTarget: saysTarget) }
            if let seen = event.sighting {
                action = action ?? seen.action
                let isKnown = known.isSuperset(of: ReferenceBits.said(by: event).intersection(.seen))
                if seen.kind == .arrival, !isKnown { arrivedVersion = arrivedVersion ?? seen.appVersion }
                guard let occurredAt = seen.occurredAt, !isKnown else { continue }
                times[seen.kind.rawValue] = min(times[seen.kind.rawValue] ?? occurredAt, occurredAt)
            }
        }
    }

    /// - Parameter saysTarget: true if a response of the request adds something new. A repeated one may have been posted when the
    ///   token belonged to another device.
    private mutating func merge(
        _ said: MeantResponse, _ found: (target: FoundTarget, traits: DeviceTraits?), saysTarget: Bool
    ) {
        push = push ?? PushWords(said, found.traits)
        if said.rank < responseRank { (response, responseRank) = (said.words, said.rank) }
        if saysTarget {
            target.hasToken = target.hasToken || found.target.hasToken
            target.deviceID = target.deviceID ?? found.target.deviceID
        }
        rejectedAt = rejectedAt ?? said.rejectedAt
        collapseID = collapseID ?? said.collapseID
    }

    /// Merges a row that turned out to be about the same notification when this device registered the token.
    mutating func take(_ other: ReferenceRow, foundAt deviceID: UUID) {
        if !hasResponse { sentAt = other.sentAt }
        isDated = true
        hasResponse = true
        guard bits.adding(other.bits) != bits else { return }
        bits = bits.adding(other.bits)
        push = push ?? other.push
        if other.responseRank < responseRank {
            (response, responseRank) = (other.response, other.responseRank)
        }
        target.hasToken = target.hasToken || other.target.hasToken
        target.deviceID = target.deviceID ?? deviceID
        rejectedAt = rejectedAt ?? other.rejectedAt
        collapseID = collapseID ?? other.collapseID
    }

    var expected: ExpectedNotification {
        ExpectedNotification(
            bits: bits, sentAt: [sentAt], push: [push], response: [response?.words], target: [target],
            times: times.map { [$0] }, rejectedAt: [rejectedAt], action: [action], collapseID: [collapseID],
            arrivedVersion: [arrivedVersion])
    }
}

extension ExpectedNotification {
    /// The possible results if the events are posted in any order, any number of times, and concurrently.
    ///
    /// - Parameter find: the possible targets of a response.
    init(anyOrderOf events: [MeantEvent], _ find: (MeantResponse) -> [(FoundTarget, DeviceTraits?)]) {
        let responses = events.compactMap(\.response)
        bits = events.reduce([]) { $0.adding(.said(by: $1)) }
        let dating = responses.isEmpty ? events : events.filter { $0.response != nil }
        sentAt = Set(dating.map(\.sentAt))
        for kind in MeantSighting.Kind.allCases {
            let reports = events.compactMap(\.sighting).filter { $0.kind == kind }
            guard !reports.isEmpty else { continue }
            times[kind.rawValue] = Set(reports.map(\.occurredAt))
            if kind == .arrival { arrivedVersion = Set(reports.map(\.appVersion)) }
        }
        // The first click counts, but a request may add the action of a click that adds nothing else.
        let clicks = events.compactMap(\.sighting).filter { $0.kind == .click }
        if !clicks.isEmpty { action = Set(clicks.map(\.action)) }
        guard !responses.isEmpty else { return }
        let mostFinal = responses.map(\.rank).min()
        response = Set(responses.filter { $0.rank == mostFinal }.map(\.words.words))
        push = Set(responses.flatMap { response in find(response).map { PushWords(response, $0.1) } })
        target = Set(responses.flatMap { find($0).map(\.0) })
        rejectedAt = Set(responses.map(\.rejectedAt))
        collapseID = Set(responses.map(\.collapseID))
    }
}
