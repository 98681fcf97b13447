import Simulation
import Testing

@Suite("The consistency of the truth")
struct TruthTests {
    private let truth = SimulationSample.usual.truth

    @Test("the default settings make ten to fifteen thousand notifications")
    func volume() {
        #expect((10_000...15_000).contains(truth.totals.attempted))
    }

    @Test("every row obeys the sums of the metrics")
    func sums() {
        let rows = [truth.totals] + truth.campaigns.map(\.counts) + (truth.days + truth.hours).map(\.counts)
        for counts in rows {
            #expect(counts.attempted == counts.accepted + counts.rejectedTotal)
            #expect(counts.confirmed <= counts.accepted)
            #expect(counts.reportable <= counts.accepted)
            #expect(counts.arrived <= counts.reportable)
            #expect(counts.confirmedUnreported <= counts.reportable)
            #expect(
                max(counts.arrived, counts.presented, counts.clicked, counts.dismissed) <= counts.confirmed)
            #expect(counts.contradicted <= counts.rejectedTotal)
            #expect(counts.recalled <= counts.accepted - counts.confirmed)
        }
    }

    @Test("campaigns, days and hours each add up to the totals")
    func breakdowns() {
        let breakdowns = [truth.campaigns.map(\.counts), truth.days.map(\.counts), truth.hours.map(\.counts)]
        for rows in breakdowns {
            #expect(rows.reduce(0) { $0 + $1.attempted } == truth.totals.attempted)
            #expect(rows.reduce(0) { $0 + $1.confirmed } == truth.totals.confirmed)
            #expect(rows.reduce(0) { $0 + $1.clicked } == truth.totals.clicked)
            for rejection in SimulatedRejectionClass.allCases {
                let sum = rows.reduce(0) { $0 + $1.rejected[rejection, default: 0] }
                #expect(sum == truth.totals.rejected[rejection, default: 0])
            }
        }
        #expect(truth.campaigns.last?.key == nil)
        #expect(truth.campaigns.count == 7)
        #expect(truth.days.count == 2)
    }

    @Test("reach shrinks from targeted to reached to engaged")
    func reach() {
        let installations = truth.installations
        #expect(installations.targeted > installations.reached)
        #expect(installations.reached > installations.engaged)
        #expect(installations.engaged > 0)
        #expect(installations.audience < installations.registered)
    }

    @Test("tokens are what their ledger says")
    func ledger() {
        let total = truth.tokens.total
        let states = total.active + total.suspect + total.retired
        let firstRows: [SimulatedTokenRule] = [.registered, .discovered]
        #expect(states == firstRows.reduce(0) { $0 + truth.tokens.transitions[$1, default: 0] })
    }

    @Test("enough receipts are lost to estimate their share from recaptures")
    func recaptures() {
        #expect(truth.totals.confirmedUnreported >= 30)
    }

    @Test("every scenario occurs, whatever the seed", arguments: [1, 2, 99] as [UInt64])
    func scenarios(seed: UInt64) {
        let settings = SimulationSettings(seed: seed, start: SimulationSample.start)
        let truth = TrafficSimulation.generate(settings).truth
        for scenario in SimulatedScenario.allCases {
            #expect(truth.scenarios[scenario, default: 0] > 0, "\(scenario) never occurs")
        }
        for rejection in SimulatedRejectionClass.allCases {
            #expect(truth.totals.rejected[rejection, default: 0] > 0, "\(rejection) never occurs")
        }
        for rule in SimulatedTokenRule.allCases {
            #expect(truth.tokens.transitions[rule, default: 0] > 0, "\(rule) never applies")
        }
    }

    @Test(
        "unusual settings neither crash nor break a sum",
        arguments: [(0, 6, 24), (300, 0, 24), (300, 1, 2), (300, 40, 24), (300, 6, 1)])
    func oddSettings(installations: Int, campaigns: Int, hours: Int) {
        let traffic = TrafficSimulation.generate(
            SimulationSettings(
                start: SimulationSample.start, hours: hours, installations: installations,
                campaigns: campaigns))
        let counts = traffic.truth.totals
        #expect(counts.attempted == counts.accepted + counts.rejectedTotal)
        #expect(traffic.steps.isEmpty == (installations == 0))
    }
}
