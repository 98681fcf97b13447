import DeliveryModel
import Testing

@testable import Reports

/// What the doctor concludes from facts, and what it does not.
@Suite("Diagnoses")
struct DiagnosisTests {
    private let examination = Examination(app: shop, asOf: instant("2026-03-15T19:05:00Z"))
    private let start = instant("2026-03-15T18:00:00Z")

    private func refused(
        _ version: String, _ refusal: RejectionClass, _ refused: Int64, of attempted: Int64,
        topic: String = "com.example.shop"
    ) -> RefusedBuilds.Fact {
        RefusedBuilds.Fact(
            address: .init(provider: "apns", environment: "production", topic: topic),
            build: AppBuild(platform: "ios", version: version), refusal: refusal,
            refused: Proportion(refused, of: attempted), answer: refused > 0 ? "403 Some" : nil)
    }

    // MARK: - Refusals

    @Test("three pushes are no finding, whatever became of them")
    func fewPushes() {
        #expect(RefusedBuilds.findings([refused("7.0", .authError, 3, of: 3)], examination).isEmpty)
        #expect(RefusedBuilds.findings([refused("7.0", .authError, 20, of: 20)], examination).isEmpty)
        #expect(RefusedBuilds.findings([refused("7.0", .authError, 30, of: 30)], examination).count == 1)
    }

    @Test("a share that may be chance is no finding")
    func unsureShare() {
        #expect(RefusedBuilds.findings([refused("7.0", .wrongTopic, 10, of: 60)], examination).isEmpty)
        #expect(RefusedBuilds.findings([refused("7.0", .wrongTopic, 300, of: 1_800)], examination).count == 1)
    }

    @Test("one build is named; all builds of a topic are one finding; another topic is left alone")
    func scope() {
        let one = RefusedBuilds.findings(
            [
                refused("7.0", .wrongEnvironment, 0, of: 900), refused("7.1", .wrongEnvironment, 99, of: 100),
            ], examination)
        #expect(one.map(\.id) == [.wrongEnvironment])
        #expect(one.first?.sentence.contains("to build ios 7.1 (99.0 %)") == true)
        #expect(one.first?.sentence.contains("of all other pushes it is 0.0 %") == true)
        #expect(one.first?.command.suffix(2) == ["--app-version", "7.1"])

        let all = RefusedBuilds.findings(
            [
                refused("7.0", .authError, 880, of: 900), refused("7.1", .authError, 99, of: 100),
                refused("7.2", .authError, 2, of: 3),
                refused("7.0", .authError, 0, of: 500, topic: "com.example.news"),
            ], examination)
        #expect(all.count == 1)
        #expect(all.first?.sentence.hasPrefix("981 of 1,003 pushes to all builds") == true)
    }

    @Test("bad tokens are of another environment only where one build has them alone")
    func badTokens() {
        let everywhere = [
            refused("7.0", .tokenSuspect, 500, of: 900), refused("7.1", .tokenSuspect, 60, of: 100),
        ]
        #expect(RefusedBuilds.findings(everywhere, examination).isEmpty)
        let alone = [
            refused("7.0", .tokenSuspect, 9, of: 900), refused("7.1", .tokenSuspect, 60, of: 100),
        ]
        #expect(RefusedBuilds.findings(alone, examination).map(\.id) == [.wrongEnvironment])
        // The only build there is has nobody to be compared with.
        #expect(RefusedBuilds.findings([alone[1]], examination).isEmpty)
    }

    // MARK: - Providers

    private func hour(
        _ hoursAgo: Int64, _ attempted: Int64, errors: Int64 = 0, throttled: Int64 = 0, silent: Int64 = 0
    ) -> ProviderOutage.Fact {
        ProviderOutage.Fact(
            provider: "apns", hour: start - .hours(hoursAgo), attempted: attempted, providerErrors: errors,
            throttled: throttled, silent: silent)
    }

    @Test("a bad hour that good ones follow is over, and a warning")
    func pastOutage() {
        let day = (24..<48).map { hour($0, 100, errors: 1) }
        let over = ProviderOutage.findings(day + [hour(3, 100, errors: 60), hour(1, 100)], examination)
        #expect(over.map(\.severity) == [.warning])
        #expect(over.first?.sentence.hasSuffix("It is over.") == true)
        let running = ProviderOutage.findings(day + [hour(3, 100), hour(0, 100, silent: 60)], examination)
        #expect(running.map(\.severity) == [.problem])
    }

    @Test("what failed as much the day before is no outage, unless it is most of the pushes")
    func usualFailures() {
        let day = (25..<48).map { hour($0, 100, errors: 15) }
        #expect(ProviderOutage.findings(day + [hour(0, 100, errors: 22)], examination).isEmpty)
        #expect(ProviderOutage.findings(day + [hour(0, 100, errors: 55)], examination).count == 1)
        #expect(ProviderOutage.findings(day + [hour(0, 12, errors: 12)], examination).isEmpty)
    }

    @Test("throttling is the sender's to slow down")
    func throttling() {
        let findings = ProviderOutage.findings([hour(0, 200, throttled: 150)], examination)
        #expect(findings.first?.remedy.hasPrefix("Send more slowly") == true)
        #expect(findings.first?.sentence.contains("150 throttled") == true)
    }

    // MARK: - Extensions

    private func version(
        _ name: String, arrived: Int64, of reportable: Int64, before: (Int64, Int64),
        responded: (now: Int64, before: Int64) = (0, 0), hasReported: Bool = true
    ) -> SilentExtensions.Fact {
        SilentExtensions.Fact(
            build: AppBuild(platform: "ios", version: name), arrived: Proportion(arrived, of: reportable),
            arrivedBefore: Proportion(before.0, of: before.1),
            responded: Proportion(responded.now, of: reportable),
            respondedBefore: Proportion(responded.before, of: before.1), hasReported: hasReported)
    }

    @Test("a version that reports somewhat less, or too little to tell, has not stopped")
    func lessReported() {
        for fact in [
            version("7.1", arrived: 320, of: 500, before: (4_000, 5_000)),
            version("7.1", arrived: 0, of: 49, before: (4_000, 5_000)),
            version("7.1", arrived: 0, of: 500, before: (80, 90)),
            version("7.1", arrived: 0, of: 500, before: (20, 5_000)),
        ] {
            #expect(SilentExtensions.findings([fact], examination).isEmpty, "\(fact)")
        }
        let stopped = version(
            "7.1", arrived: 120, of: 500, before: (4_000, 5_000), responded: (50, 500))
        #expect(SilentExtensions.findings([stopped], examination).map(\.id) == [.extensionSilent])
    }

    @Test("a few strays of a version make it no reporting one")
    func strays() {
        let reporting = version("7.9", arrived: 400, of: 500, before: (4_000, 5_000))
        let strays = SilentExtensions.findings(
            [reporting, version("7.10", arrived: 3, of: 300, before: (0, 0))], examination)
        #expect(
            strays.first?.sentence.hasPrefix("ios 7.10 has reported next to nothing, 3 arrivals, of 300")
                == true)
        let few = version("7.10", arrived: 30, of: 300, before: (0, 0))
        #expect(SilentExtensions.findings([reporting, few], examination).isEmpty)
    }

    @Test(
        "a new version that never reports is a problem, an old one a warning, and an app without extension nothing"
    )
    func neverReporting() {
        let reporting = version("7.9", arrived: 400, of: 500, before: (4_000, 5_000))
        let mute = { (name: String) in
            version(name, arrived: 0, of: 300, before: (0, 0), hasReported: false)
        }
        #expect(
            SilentExtensions.findings([reporting, mute("7.10")], examination).map(\.severity) == [.problem])
        let old = SilentExtensions.findings([reporting, mute("7.8"), mute("6.12.1")], examination)
        #expect(old.map(\.severity) == [.warning])
        #expect(old.first?.sentence.hasPrefix("ios 7.8 and ios 6.12.1 have never") == true)
        #expect(SilentExtensions.findings([mute("7.9"), mute("7.10")], examination).isEmpty)
        let few = version("7.10", arrived: 0, of: 150, before: (0, 0), hasReported: false)
        #expect(SilentExtensions.findings([reporting, few], examination).isEmpty)
    }

    @Test(
        "versions are compared by their numbers",
        arguments: [
            ("7.10.0", "7.9.9", true), ("7.9.9", "7.10.0", false), ("7.1", "7.1.0", false),
            ("8", "7.9", true),
            ("7.2.0", "7.2.0-beta.1", true), ("7.2.0-beta.1", "7.1.0", true), ("", "1.0", false),
        ])
    func versions(one: String, other: String, isLater: Bool) {
        let (one, other) = (
            AppBuild(platform: "ios", version: one), AppBuild(platform: "ios", version: other)
        )
        #expect(one.isLater(than: other) == isLater)
    }

    // MARK: - Dead tokens

    private func dying(
        _ version: String, _ dead: Int64, of attempted: Int64, clicked: Int64 = 100
    ) -> ProviderPurge.Fact {
        ProviderPurge.Fact(
            build: AppBuild(platform: "ios", version: version), dead: Proportion(dead, of: attempted),
            deadBefore: Proportion(50, of: 5_000), clicked: Proportion(clicked, of: 1_000),
            clickedBefore: Proportion(1_000, of: 10_000))
    }

    @Test("more 410 in one version, or with fewer clicks, is no purge")
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

    // MARK: - Unmatched, rejected, upkeep

    @Test(
        "a few unmatched events are usual, many are a warning, very many a problem",
        arguments: [(29, 0, nil), (60, 900, nil), (200, 900, .warning), (400, 900, .problem)]
            as [(Int64, Int64, Finding.Severity?)])
    func unmatched(unmatched: Int64, attempted: Int64, severity: Finding.Severity?) {
        let findings = UnmatchedEvents.findings(
            .init(unmatched: unmatched, attempted: attempted), examination)
        #expect(findings.map(\.severity) == [severity].compactMap { $0 })
    }

    @Test(
        "single rejected items are no finding",
        arguments: [(19, 19, nil), (20, 10_000, nil), (200, 10_000, .warning), (2_000, 10_000, .problem)]
            as [(Int64, Int64, Finding.Severity?)])
    func rejected(rejected: Int64, received: Int64, severity: Finding.Severity?) {
        let facts = RejectedItems.Facts(
            received: received, rejected: rejected, codes: [.init(code: "too_old", items: rejected)])
        let findings = RejectedItems.findings(facts, examination)
        #expect(findings.map(\.severity) == [severity].compactMap { $0 })
        #expect(findings.allSatisfy { $0.sentence.contains("too_old") })
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

    @Test("maintenance that leaves more than a day lying is overdue")
    func maintenance() {
        let oldest = examination.asOf - .days(9)
        #expect(OverdueMaintenance.findings(.init(unfoldedQuarters: 96, oldest: oldest), examination).isEmpty)
        let findings = OverdueMaintenance.findings(.init(unfoldedQuarters: 97, oldest: oldest), examination)
        #expect(findings.map(\.severity) == [.warning])
    }

    @Test("a database that may lose commits is a problem")
    func durability() {
        let settings = { (fsync: String) in
            [
                ServerDurability.Fact(setting: "fsync", value: fsync),
                ServerDurability.Fact(setting: "synchronous_commit", value: "on"),
            ]
        }
        #expect(ServerDurability.findings(settings("on"), examination).isEmpty)
        #expect(
            ServerDurability.findings(settings("off"), examination).first?.sentence
                == "In PostgreSQL fsync is off.")
    }
}
