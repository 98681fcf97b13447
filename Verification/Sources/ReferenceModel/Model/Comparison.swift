internal import Foundation

/// Compares a played history with its reference and the database.
struct Comparison {
    private let played: PlayedHistory
    private let reference: Reference
    private let recorded: Recorded
    /// The differences, one line each.
    private(set) var differences: [String] = []

    init(_ played: PlayedHistory, _ reference: Reference, _ recorded: Recorded) {
        self.played = played
        self.reference = reference
        self.recorded = recorded
        compareResponses()
        compareNotifications()
        compareQuarantine()
        compareIntake()
    }

    /// False if a request was posted twice: its events may have been recorded the first time, so its response
    /// does not tell which items were new.
    private var areResponsesWhole: Bool { !played.responses.contains(where: \.isRepeated) }

    private mutating func check<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
        if found != expected { differences.append("\(what): \(found), expected \(expected)") }
    }

    private mutating func compareResponses() {
        for (position, pair) in zip(played.history.requests, played.responses).enumerated() {
            let (request, response) = pair
            var codes: [Int: String] = [:]
            for (index, item) in request.items.enumerated() { codes[index] = item.code }
            check("request \(position), rejected", response.rejected, codes)
            check(
                "request \(position), received",
                response.accepted + response.duplicates + response.rejected.count,
                request.items.count)
            guard areResponsesWhole, let verdicts = reference.verdicts?[position] else { continue }
            check("request \(position), accepted", response.accepted, verdicts.count { $0 == .accepted })
            if let responded = response.verdicts { check("request \(position)", responded, verdicts) }
        }
    }

    private mutating func compareNotifications() {
        var counters: [Recorded.CounterKey: [String: Int64]] = [:]
        var unmatched: [Recorded.UnmatchedKey: [String: Int64]] = [:]
        var facts = RecordedFacts()
        for (key, expected) in reference.notifications.sorted(by: { $0.key.text < $1.key.text }) {
            let appID = played.apps[key.app].appID
            let rows = recorded.notifications[.init(appID: appID, row: key.row)] ?? []
            check("\(key.text), rows", rows.count, 1)
            guard let row = rows.first else { continue }
            differences += expected.differences(from: row, arrivals: played.arrivals).map {
                "\(key.text): \($0)"
            }
            let quarter = row.sentAt - row.sentAt % 900_000
            let counter = Recorded.CounterKey(
                appID: appID, quarter: quarter, campaign: row.push?.campaign ?? "",
                variant: row.push?.variant ?? "")
            // A row with other facts than expected is a difference already.
            facts.add(row.bits, row, counter)
            for measure in ReferenceMeasures.counting(row.bits) {
                counters[counter, default: [:]][measure, default: 0] += 1
            }
            if let measure = ReferenceMeasures.countingUnmatched(row.bits) {
                let counter = Recorded.UnmatchedKey(appID: appID, quarter: quarter)
                unmatched[counter, default: [:]][measure, default: 0] += 1
            }
        }
        check("counters", own(recorded.counters, \.appID), counters)
        check("counters without an response", own(recorded.unmatched, \.appID), unmatched)
        let recordedFacts = recorded.facts.own(Set(played.apps.map(\.appID)))
        check("counters of rejections", recordedFacts.rejections, facts.rejections)
        check("counters of times", recordedFacts.latency, facts.latency)
        check("counters of versions", recordedFacts.versions, facts.versions)
        check("versions that report", recordedFacts.reporting, facts.expectedReporting)
    }

    /// The counters of this history's apps that are not empty.
    private func own<Key>(
        _ counters: [Key: [String: Int64]], _ appID: (Key) -> Int64
    ) -> [Key: [String: Int64]] {
        let appIDs = Set(played.apps.map(\.appID))
        return counters.filter { appIDs.contains(appID($0.key)) && !$0.value.isEmpty }
    }

    private mutating func compareQuarantine() {
        for (number, app) in played.apps.enumerated() {
            let found = recorded.quarantined[app.appID] ?? [:]
            let expected = reference.quarantined[number] ?? [:]
            check("app \(number), codes in quarantine", Set(found.keys), Set(expected.keys))
            for (code, count) in found where areResponsesWhole && expected[code]?.contains(count) == false {
                differences.append("app \(number), \(code) in quarantine: \(count), expected \(expected)")
            }
        }
    }

    private mutating func compareIntake() {
        for (number, app) in played.apps.enumerated() where areResponsesWhole {
            let responded = zip(played.history.requests, played.responses).filter { $0.0.app == number }.map(
                \.1)
            guard !responded.isEmpty else { continue }
            let sums = [
                responded.reduce(0) { $0 + $1.accepted }, responded.reduce(0) { $0 + $1.duplicates },
                responded.reduce(0) { $0 + $1.rejected.count },
            ].map(Int64.init)
            check("app \(number), intake", recorded.intake[app.appID] ?? [], [sums.reduce(0, +)] + sums)
            // Every bit of every row came with one item that was accepted for it, also bits that were
            // removed. What another device said first may be said again.
            let notifications = reference.notifications.filter { $0.key.app == number }
            let bits = notifications.reduce(0) { sum, notification in
                let said = notification.value.said
                let again = said.contains(.misdirected) ? said.intersection([.seen, .local]) : []
                return sum + said.rawValue.nonzeroBitCount + again.rawValue.nonzeroBitCount
            }
            // For a message, a response that waited and one that did not may have said the same.
            let twice = notifications.reduce(0) { sum, notification in
                guard case .message = notification.key.row else { return sum }
                return sum + notification.value.said.subtracting(.seen).rawValue.nonzeroBitCount
            }
            if !(Int64(notifications.count)...Int64(bits + twice)).contains(sums[0]) {
                differences.append(
                    "app \(number): \(sums[0]) accepted for \(notifications.count) notifications")
            }
        }
    }
}

extension Reference.Key {
    fileprivate var text: String {
        switch row {
        case .notification(let id): "app \(app), \(id)"
        case .message(let id, let deviceID):
            "app \(app), message \(id) to \(deviceID.uuidString.lowercased())"
        case .waiting(let id, let collapseID):
            "app \(app), message \(id), waiting, \(collapseID)"
        }
    }
}
