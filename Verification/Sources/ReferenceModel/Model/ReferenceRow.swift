internal import Foundation

/// The simplest correct implementation: one notification, updated request by request.
struct ReferenceRow {
    /// What the provider and the sender said.
    private var said: ReferenceBits = []
    private var sightings = ReferenceSightings()
    /// All that anyone said, whether it counts or not.
    private var everSaid: ReferenceBits = []
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
    private var facts = MeantFacts()
    private var arrivedVersion: String?

    /// Records one request's events about the notification in their order. Returns for each whether it adds
    /// something new.
    ///
    /// - Parameter reporter: the registered device that an event names.
    mutating func record(
        _ events: [MeantEvent], _ find: (MeantResponse) -> (FoundTarget, DeviceTraits?),
        reporter: (MeantEvent) -> UUID?
    ) -> [Bool] {
        date(events)
        let before = self
        for event in events {
            let bits = ReferenceBits.said(by: event)
            everSaid.formUnion(bits)
            if event.sighting == nil {
                said = said.adding(bits)
            } else {
                sightings.add(bits, by: reporter(event))
            }
        }
        findTarget(events, find, known: before.bits)
        // Events that add nothing new change nothing. While it is unknown where the push went, it is also new
        // who says something.
        let isNew = bits != before.bits || (before.target.deviceID == nil && sightings != before.sightings)
        if isNew { merge(events, find, known: before.bits) } else { target = before.target }
        return verdicts(events, before, reporter)
    }

    private var bits: ReferenceBits { bits(pushedTo: target.deviceID) }

    private func bits(pushedTo device: UUID?) -> ReferenceBits {
        said.adding(sightings.bits(pushedTo: device))
    }

    /// Whether each event adds something to what is known before it, now that it may be known where the push
    /// went.
    private func verdicts(
        _ events: [MeantEvent], _ before: ReferenceRow, _ reporter: (MeantEvent) -> UUID?
    ) -> [Bool] {
        var known = before.bits(pushedTo: target.deviceID)
        return events.map { event in
            var bits = ReferenceBits.said(by: event)
            if event.sighting != nil {
                bits = ReferenceSightings.counting(bits, by: reporter(event), pushedTo: target.deviceID)
            }
            defer { known = known.adding(bits) }
            return known.adding(bits) != known
        }
    }

    /// A repeated response may have been posted when the token belonged to another device, so one of them
    /// must add something new.
    private mutating func findTarget(
        _ events: [MeantEvent], _ find: (MeantResponse) -> (FoundTarget, DeviceTraits?), known: ReferenceBits
    ) {
        let responses = events.filter { $0.response != nil }
        guard responses.contains(where: { !known.isSuperset(of: .said(by: $0)) }) else { return }
        for found in responses.compactMap(\.response).map({ find($0).0 }) {
            target.hasToken = target.hasToken || found.hasToken
            target.deviceID = target.deviceID ?? found.deviceID
        }
    }

    /// Sets the date to that of the first response; until there is one, to that of the first event, which may
    /// have none.
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
        // What was taken back, because another device had said it, is set anew.
        for kind in MeantSighting.Kind.allCases where !known.contains(.seen(kind)) {
            times[kind.rawValue] = nil
        }
        if !known.contains(.arrived) { arrivedVersion = nil }
        if !known.contains(.clicked) { action = nil }
        for event in events {
            if let said = event.response { merge(said, find(said).1) }
            if let seen = event.sighting {
                action = action ?? seen.action
                if seen.isWitness { continue }
                let isKnown = known.isSuperset(of: ReferenceBits.said(by: event).intersection(.seen))
                if seen.kind == .arrival, !isKnown { arrivedVersion = arrivedVersion ?? seen.appVersion }
                guard let occurredAt = seen.occurredAt, !isKnown else { continue }
                times[seen.kind.rawValue] = min(times[seen.kind.rawValue] ?? occurredAt, occurredAt)
            }
        }
    }

    private mutating func merge(_ said: MeantResponse, _ traits: DeviceTraits?) {
        push = push ?? PushWords(said, traits)
        facts.add(said.facts, counts: said.rank < responseRank)
        if said.rank < responseRank { (response, responseRank) = (said.words, said.rank) }
        rejectedAt = rejectedAt ?? said.rejectedAt
        collapseID = collapseID ?? said.collapseID
    }

    /// Merges a row that turned out to be about the same notification when this device registered the token.
    mutating func take(_ other: ReferenceRow, foundAt deviceID: UUID) {
        if !hasResponse { sentAt = other.sentAt }
        isDated = true
        hasResponse = true
        everSaid.formUnion(other.everSaid)
        guard said.adding(other.said) != said else { return }
        said = said.adding(other.said)
        sightings.add(other.sightings)
        push = push ?? other.push
        facts.add(other.facts, counts: other.responseRank < responseRank)
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
            bits: [bits], said: everSaid.union(bits), sentAt: [sentAt], push: [push],
            response: [response?.words], target: [target],
            times: times.map { [$0] }, rejectedAt: [rejectedAt], action: [action], collapseID: [collapseID],
            facts: [facts], factsThatCount: [facts], arrivedVersion: [arrivedVersion])
    }
}

extension ExpectedNotification {
    /// The possible results if the events are posted in any order, any number of times, and concurrently.
    ///
    /// - Parameters:
    ///   - find: the possible targets of a response.
    ///   - reporters: the registered device that an event names, in every possible moment.
    init(
        anyOrderOf events: [MeantEvent], _ find: (MeantResponse) -> [(FoundTarget, DeviceTraits?)],
        reporters: (MeantEvent) -> Set<UUID?>
    ) {
        let responses = events.compactMap(\.response)
        let targets = Set(responses.flatMap { find($0).map(\.0.deviceID) })
        for target in targets.isEmpty ? [nil] : targets {
            bits.formUnion(Self.bits(afterAnyOrderOf: events, pushedTo: target, reporters))
        }
        said = (events.map { ReferenceBits.said(by: $0) } + bits).reduce([]) { $0.union($1) }
        let dating = responses.isEmpty ? events : events.filter { $0.response != nil }
        sentAt = Set(dating.map(\.sentAt))
        for kind in MeantSighting.Kind.allCases {
            let reports = events.compactMap(\.sighting).filter { $0.kind == kind && !$0.isWitness }
            guard !reports.isEmpty else { continue }
            times[kind.rawValue] = Set(reports.map(\.occurredAt))
            if kind == .arrival { arrivedVersion = Set(reports.map(\.appVersion)) }
        }
        // The first click counts, but a request may add the action of a click that adds nothing else.
        let clicks = events.compactMap(\.sighting).filter { $0.kind == .click }
        if !clicks.isEmpty { action = Set(clicks.map(\.action)) }
        guard !responses.isEmpty else { return }
        let mostFinal = responses.map(\.rank).min()
        let counting = responses.filter { $0.rank == mostFinal }
        response = Set(counting.map(\.words.words))
        push = Set(responses.flatMap { response in find(response).map { PushWords(response, $0.1) } })
        target = Set(responses.flatMap { find($0).map(\.0) })
        rejectedAt = Set(responses.map(\.rejectedAt))
        collapseID = Set(responses.map(\.collapseID))
        facts = Set(responses.map(\.facts))
        factsThatCount = Set(counting.map(\.facts))
    }

    private static func bits(
        afterAnyOrderOf events: [MeantEvent], pushedTo device: UUID?, _ reporters: (MeantEvent) -> Set<UUID?>
    ) -> Set<ReferenceBits> {
        let told = events.filter { $0.sighting == nil }.reduce(ReferenceBits()) { $0.adding(.said(by: $1)) }
        return events.filter { $0.sighting != nil }.reduce([told]) { possible, event in
            let parts = Set(
                reporters(event).map {
                    ReferenceSightings.counting(.said(by: event), by: $0, pushedTo: device)
                })
            // An event that is posted twice may come before and after the registration.
            let contributions = parts.union([parts.reduce(ReferenceBits()) { $0.union($1) }])
            return Set(possible.flatMap { bits in contributions.map { bits.adding($0) } })
        }
    }
}
