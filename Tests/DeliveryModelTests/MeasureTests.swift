import DeliveryModel
import Testing

struct MeasureTests {
    /// Every state that events can lead to: all subsets of the low bits, with none, one or two classes of
    /// rejection.
    private static let states: [DeliveryState] = (0..<Int32(512)).flatMap { low -> [DeliveryState] in
        let base = DeliveryState(rawValue: low)
        return [
            base, base.union(.rejected(.tokenDead)), base.union(.rejected(.throttled)),
            base.union([.rejected(.throttled), .rejected(.unknown)]),
        ]
    }

    private func value(_ measure: Measure, _ state: DeliveryState) -> Int64 { measure.value(of: state) }

    @Test("attempted = accepted + rejected, for every state with a response")
    func attemptedAddsUp() {
        for state in Self.states where state.contains(.accepted) || state.rejectionClass != nil {
            let rejected = RejectionClass.allCases.reduce(0) { $0 + value(.rejected($1), state) }
            #expect(value(.attempted, state) == value(.accepted, state) + rejected)
        }
    }

    @Test("every class of rejections has its own measure", arguments: RejectionClass.allCases)
    func rejected(rejectionClass: RejectionClass) {
        #expect(Measure.rejected(rejectionClass).rawValue == "rejected_\(rejectionClass.rawValue)")
    }

    @Test("nothing counts in a campaign before the response, and then everything does at once")
    func countsWithTheResponse() {
        for state in Self.states where !state.contains(.attempted) {
            #expect(Measure.allCases.allSatisfy { value($0, state) == 0 })
        }
        let early: DeliveryState = [.arrived, .clicked]
        var counts = MeasureCounts()
        counts.add(1, in: early)
        #expect(counts.isZero)
        counts.add(1, in: early.union([.attempted, .accepted, .canReport]))
        #expect(counts[.clicked] == 1)
        #expect(counts[.arrived] == 1)
        #expect(counts[.confirmed] == 1)
    }

    @Test("every part is at most its whole")
    func partsAndWholes() {
        let parts: [(Measure, Measure)] = [
            (.accepted, .attempted), (.reportable, .accepted), (.arrived, .confirmed),
            (.confirmed, .accepted),
            (.arrivedReportable, .arrived), (.arrivedReportable, .reportable), (.clicked, .confirmed),
            (.presented, .confirmed), (.dismissed, .confirmed), (.confirmedUnreported, .respondedReportable),
            (.respondedReportable, .reportable),
        ]
        for state in Self.states {
            for (part, whole) in parts { #expect(value(part, state) <= value(whole, state)) }
        }
    }

    @Test("a state is matched or unmatched, never both")
    func unmatched() {
        for state in Self.states {
            let unmatched = UnmatchedMeasure.allCases.reduce(0) { $0 + $1.value(of: state) }
            #expect(unmatched == (state.isEmpty || state.contains(.attempted) ? 0 : 1))
        }
    }

    @Test("adding a change and its reverse leaves nothing")
    func reverses() {
        for state in Self.states {
            var counts = MeasureCounts()
            counts.add(3, in: state)
            counts.add(-3, in: state)
            #expect(counts.isZero)
        }
    }

    @Test("of two classes the more final one counts, and acceptance beats both")
    func finality() {
        let both: DeliveryState = [.attempted, .rejected(.providerError), .rejected(.tokenDead)]
        #expect(both.rejectionClass == .tokenDead)
        #expect(both.isConflicting)
        #expect(both.union(.accepted).rejectionClass == nil)
        #expect(!both.union(.accepted).isConflicting)
    }
}
