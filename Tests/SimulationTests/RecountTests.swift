import Basics
import Simulation
import Testing

@Suite("A recount of the posted events")
struct RecountTests {
    @Test("totals, campaigns, days and hours of the default settings equal the truth")
    func everyRow() {
        let truth = SimulationSample.usual.truth
        let recount = Recount(SimulationSample.usualEvents)
        expect(recount, { _ in true }, equals: truth.totals, "totals")
        for row in truth.campaigns {
            expect(recount, { $0.campaign == row.key }, equals: row.counts, "\(row.key ?? "no campaign")")
        }
        for row in truth.days {
            expect(recount, { $0.sentAt / 86_400_000 == row.start / 86_400_000 }, equals: row.counts, "day")
        }
        for row in truth.hours {
            expect(recount, { $0.sentAt / 3_600_000 == row.start / 3_600_000 }, equals: row.counts, "hour")
        }
        #expect(recount.count { !$0.hasResponse && $0.wasSeen } == truth.unmatched)
        #expect(recount.count { !$0.hasResponse && !$0.wasSeen } == 0)
    }

    @Test(
        "other seeds and other settings are counted as exactly",
        arguments: [(2, 24, 6, 48), (3, 24, 7, 0), (4, 72, 13, 12), (5, 2, 3, 1)])
    func otherSettings(seed: UInt64, hours: Int, campaigns: Int, lateEventHours: Int) {
        let traffic = SimulationSample.small(
            seed: seed, hours: hours, campaigns: campaigns, lateEventHours: lateEventHours)
        let recount = Recount(SimulationSample.decoded(traffic.events))
        expect(recount, { _ in true }, equals: traffic.truth.totals, "seed \(seed)")
        #expect(recount.count { !$0.hasResponse && $0.wasSeen } == traffic.truth.unmatched)
    }

    @Test("every scenario is counted as exactly", arguments: TrafficScenario.allCases)
    func scenarios(_ scenario: TrafficScenario) {
        let traffic = TrafficSimulation.generate(
            SimulationSettings(
                start: SimulationSample.start, hours: 48, installations: 200, scenario: scenario))
        let recount = Recount(SimulationSample.decoded(traffic.events))
        expect(recount, { _ in true }, equals: traffic.truth.totals, "\(scenario)")
        #expect(recount.count { !$0.hasResponse && $0.wasSeen } == traffic.truth.unmatched)
        #expect(traffic.truth.totals.confirmed > 100)
    }

    @Test("the order of the events changes nothing")
    func shuffled() {
        let traffic = SimulationSample.small(seed: 8)
        var order = SeededRandom(seed: 4)
        let recount = Recount(SimulationSample.decoded(traffic.events.shuffled(using: &order)))
        expect(recount, { _ in true }, equals: traffic.truth.totals, "shuffled")
    }

    private func expect(
        _ recount: Recount, _ belongs: (Recount.Notification) -> Bool, equals counts: SimulatedCounts,
        _ row: Comment
    ) {
        let attempted = recount.notifications.values.filter { $0.hasResponse && belongs($0) }
        let accepted = attempted.filter(\.isAccepted)
        let rejected = attempted.filter { !$0.isAccepted }
        #expect(attempted.count == counts.attempted, row)
        #expect(accepted.count == counts.accepted, row)
        #expect(accepted.filter(\.isReportable).count == counts.reportable, row)
        #expect(accepted.filter(\.hasArrived).count == counts.arrived, row)
        #expect(accepted.filter(\.wasSeen).count == counts.confirmed, row)
        #expect(accepted.filter(\.wasPresented).count == counts.presented, row)
        #expect(accepted.filter(\.wasClicked).count == counts.clicked, row)
        #expect(accepted.filter(\.wasDismissed).count == counts.dismissed, row)
        #expect(accepted.filter(\.wasRecalled).count == counts.recalled, row)
        let unreported = accepted.filter { $0.wasSeen && $0.isReportable && !$0.hasArrived }
        #expect(unreported.count == counts.confirmedUnreported, row)
        #expect(rejected.filter(\.wasSeen).count == counts.contradicted, row)
        for rejection in SimulatedRejectionClass.allCases {
            let recounted = rejected.filter { $0.rejection == rejection }.count
            #expect(recounted == counts.rejected[rejection, default: 0], "\(row): \(rejection)")
        }
    }
}
