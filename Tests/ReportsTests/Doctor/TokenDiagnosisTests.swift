import DeliveryModel
import Testing

@testable import Doctor
@testable import Reports
@testable import TokenLifecycle

/// The conclusions from tokens: dead, held, without a proof, not swept.
@Suite("Diagnoses of tokens")
struct TokenDiagnosisTests {
    private let examination = Examination.evening
    private let start = Examination.lastHour

    private func dying(
        _ version: String, _ dead: Int64, of attempted: Int64, clicked: Int64 = 100
    ) -> ProviderPurge.Fact {
        ProviderPurge.Fact(
            build: AppBuild(platform: "ios", version: version), dead: Proportion(dead, of: attempted),
            deadBefore: Proportion(50, of: 5_000), clicked: Proportion(clicked, of: 1_000),
            clickedBefore: Proportion(1_000, of: 10_000))
    }

    @Test("more 410 in one version only, or with fewer clicks, is no purge")
    func purge() {
        let all = [dying("7.0", 50, of: 500), dying("7.1", 60, of: 500)]
        #expect(ProviderPurge.findings(all, examination).map(\.id) == [.providerPurge])
        #expect(
            ProviderPurge.findings([dying("7.0", 50, of: 500), dying("7.1", 5, of: 500)], examination).isEmpty
        )
        #expect(
            ProviderPurge.findings(
                [dying("7.0", 50, of: 500, clicked: 40), dying("7.1", 60, of: 500, clicked: 40)], examination
            ).isEmpty)
        #expect(ProviderPurge.findings([all[0]], examination).isEmpty)
    }

    @Test("in a large app every change of clicks is significant, and a small one still counts as flat")
    func largePurge() {
        func dying(clicked: Int64) -> [ProviderPurge.Fact] {
            ["7.0", "7.1"].map {
                ProviderPurge.Fact(
                    build: AppBuild(platform: "ios", version: $0), dead: Proportion(90_000, of: 1_000_000),
                    deadBefore: Proportion(70_000, of: 7_000_000),
                    clicked: Proportion(clicked, of: 800_000),
                    clickedBefore: Proportion(560_000, of: 5_600_000))
            }
        }
        #expect(ProviderPurge.findings(dying(clicked: 85_000), examination).map(\.id) == [.providerPurge])
        #expect(ProviderPurge.findings(dying(clicked: 70_000), examination).map(\.id) == [.providerPurge])
        #expect(ProviderPurge.findings(dying(clicked: 60_000), examination).isEmpty)
    }

    @Test("the command names one breaker, even that of tokens without a topic")
    func breakerCommands() {
        let breakers = [("production", ""), ("production", "shop"), ("sandbox", "shop")].map {
            HeldTokens.Group(environment: $0.0, topic: $0.1, openedAt: start, heldTokens: 93)
        }
        #expect(
            OpenBreakers.findings(breakers, examination).map(\.commandLine) == [
                "landfall tokens release --app shop --environment production --topic ''",
                "landfall tokens release --app shop --environment production --topic shop",
                "landfall tokens release --app shop --environment sandbox --topic shop",
            ])
    }

    @Test(
        "accounts without a proof are a finding from 5 and 5 % on",
        arguments: [(4, 4, 0), (5, 100, 1), (5, 101, 0), (5_000, 5_000, 1), (0, 0, 0)]
            as [(Int64, Int64, Int)])
    func claimed(claimed: Int64, bound: Int64, count: Int) {
        #expect(
            ClaimedAccounts.findings(Proportion(claimed, of: bound), examination).map(\.id)
                == Array(repeating: .claimedAccounts, count: count))
    }

    @Test("a sweep is overdue a week after the last one, or after the first tokens can have become stale")
    func sweep() {
        func findings(created: Int64, swept: Int64?, hasTokens: Bool = true) -> [Finding] {
            OverdueSweep.findings(
                .init(
                    createdAt: examination.asOf - .days(created), staleAfterDays: 60,
                    sweptAt: swept.map { examination.asOf - .days($0) }, hasTokens: hasTokens), examination)
        }
        #expect(findings(created: 400, swept: 6).isEmpty)
        #expect(findings(created: 400, swept: 8).map(\.id) == [.sweepOverdue])
        #expect(findings(created: 66, swept: nil).isEmpty)
        #expect(findings(created: 68, swept: nil).first?.sentence == "The app was never swept.")
        #expect(findings(created: 400, swept: nil, hasTokens: false).isEmpty)
    }

    @Test("a sweep that never ran is not reported as fine")
    func neverSwept() {
        let fact = OverdueSweep.Fact(
            createdAt: examination.asOf, staleAfterDays: 60, sweptAt: nil, hasTokens: true)
        #expect(OverdueSweep.examined(fact, examination) == .neverDone)
    }
}
