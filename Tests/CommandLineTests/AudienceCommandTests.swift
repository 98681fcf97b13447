import ArgumentParser
import Basics
import Testing

@testable import Dashboards
@testable import DeliveryModel
@testable import Rendering
@testable import Reports
@testable import TokenLifecycle

@Suite("The audience commands") struct AudienceCommandTests {
    private let style = OutputStyle(usesUnicode: false, usesColor: false)
    private let shop = App(appID: 1, slug: "shop")
    private let instant = Instant(millisecondsSinceEpoch: 1_800_000_000_000)

    @Test(
        "reject an unreadable, future or empty time, an unknown unit and a share of 0 as usage errors",
        arguments: [
            ["waterfall", "--by", "hour"], ["waterfall", "--from", "soon"],
            ["waterfall", "--as-of", "2999-01-01"],
            ["waterfall", "--from", "today", "--to", "2000-01-01"], ["waterfall", "--unit", "people"],
            ["waterfall", "--tz", "Europe/Berln"], ["status", "--as-of", "soon"],
            ["status", "--as-of", "2999-01-01"],
            ["zombies", "--share", "0"], ["zombies", "--share", "1.1"], ["zombies", "--days", "0"],
            ["zombies", "--pushes", "0"], ["zombies", "--limit", "-1"],
        ])
    func mistakes(arguments: [String]) {
        #expect(throws: (any Error).self) { try Landfall.parseAsRoot(["tokens"] + arguments) }
    }

    @Test(
        "accept a request as of the past",
        arguments: [
            [
                "waterfall", "--by", "week", "--from", "2026-01-05", "--as-of", "2026-03-01", "--tz",
                "Europe/Berlin",
            ],
            ["status", "--as-of", "7d"], ["zombies", "--days", "14", "--pushes", "5", "--share", "0.8"],
        ])
    func read(arguments: [String]) {
        #expect(throws: Never.self) { try Landfall.parseAsRoot(["tokens"] + arguments) }
    }

    private func period(_ moves: [TokenMove: Int64], start: StateCounts) -> TokenWaterfall.Period {
        .init(
            name: nil, from: instant, to: instant + .days(1), start: start, moves: moves,
            registrationFailures: nil)
    }

    private let moves: [TokenMove: Int64] = [
        TokenMove(from: nil, to: .active, rule: "registered"): 50,
        TokenMove(from: .stale, to: .active, rule: "sign_of_life"): 10,
        TokenMove(from: .active, to: .retired, rule: "unregistered"): 20,
        TokenMove(from: .active, to: .stale, rule: "stale"): 40,
    ]

    @Test("each step of a waterfall starts where the previous one ended")
    func picture() {
        let picture = WaterfallPicture(period(moves, start: StateCounts([.active: 100, .stale: 30])))
        #expect(
            picture.lines(style) == [
                "  start         100  ###############################",
                "  registered    +50                                 ################",
                "  revived       +10                                                ####",
                "  unregistered  -20                                             #######",
                "  stale         -40                                 #############",
                "  end           100  ###############################",
            ])
        #expect(picture.axis == 0)
    }

    @Test("small changes of a large audience are visible because the axis does not begin at 0")
    func axis() {
        let picture = WaterfallPicture(period(moves, start: StateCounts([.active: 1_000_000, .stale: 30])))
        #expect(picture.axis == 999_988)
        let bars = picture.lines(style).map { $0.filter { $0 == "#" }.count }
        #expect(bars.allSatisfy { (1...50).contains($0) })
        #expect(bars[1] > bars[2])
    }

    @Test("an empty waterfall has no bars")
    func nothing() {
        #expect(
            WaterfallPicture(period([:], start: StateCounts())).lines(style) == ["  start  0", "  end    0"])
    }

    private func sweep(_ groups: [SweepPlan.Group], past: [PastSweeps.Row] = []) -> SweepReport {
        var report = SweepReport(app: shop, rules: SweepRules(), past: PastSweeps(rows: past), asOf: instant)
        report.plan.groups = groups
        report.plan.tokenCount = 1_000
        report.plan.audienceCount = 900
        report.plan.lostAudienceCount = 9
        report.plan.heardAt = instant
        return report
    }

    @Test("a sweep's plan names the causes, and how often earlier sweeps were wrong")
    func plan() {
        let report = sweep(
            [.init(rule: .stale, from: .suspect, cause: "bad_token", silentDays: 60, tokenCount: 9)],
            past: [
                .init(rule: "stale", changed: 200, revived: 50),
                .init(rule: "swept", changed: 100, revived: 5),
            ])
        let text = report.lines(style).joined(separator: "\n")
        #expect(text.contains("suspect (bad_token)"))
        #expect(
            text.contains("5.0 % (2.2-11.2) of 100 tokens that sweeps retired in a year became active again"))
        #expect(text.contains("25.0 %"))
        #expect(text.hasSuffix("This is a plan: nothing was changed. --apply carries it out."))
        #expect(report.csv.text.contains("stale,suspect,bad_token,60,9,shop,"))
        #expect(report.document.indentedText.contains("\"rate\": 0.05"))
    }

    @Test("the progress bar shows what is done, the rate and the time left")
    func progress() {
        let progress = SweepProgress(total: 40_000)
        #expect(
            progress.text(10_000, after: 2, style)
                == "sweeping  ######                    25.0 % | 10,000 of 40,000 tokens | 5,000/s | 0:06 left"
        )
        #expect(progress.text(0, after: 0, style).hasSuffix("  0.0 % | 0 of 40,000 tokens"))
        #expect(progress.text(1, after: 1, style).hasSuffix("1/s | 11:06:39 left"))
        #expect(progress.text(41_000, after: 1, style).contains("100.0 %"))
    }

    @Test("zombies are listed with their share of the audience")
    func zombies() {
        let zombie = ZombieReport.Zombie(
            deviceID: "d1", model: "iPhone15,2", pushes: 20, firstPushAt: instant - .days(20),
            lastPushAt: instant - .days(1), heardAt: instant - .days(50), twinDeviceID: "d2")
        let builds = [
            ZombieReport.Build(
                platform: "ios", appVersion: "7.1", judged: 1_000, reporting: 900, isReporting: true,
                zombies: 30,
                duplicates: 12, listed: [zombie]),
            ZombieReport.Build(
                platform: "ios", appVersion: "7.2", judged: 400, reporting: 0, isReporting: false, zombies: 0,
                duplicates: 0, listed: []),
        ]
        let report = ZombieReport(
            app: shop, rules: ZombieRules(), asOf: instant, builds: builds, audience: 1_200)
        let text = report.lines(style).joined(separator: "\n")
        #expect(text.contains("2.5 % of the audience of 1,200"))
        #expect(text.contains("silent"))
        #expect(text.contains("iPhone15,2"))
        #expect(report.csv.text.contains("d1,ios,7.1,\"iPhone15,2\",20,"))
        #expect(report.document.indentedText.contains("\"duplicates\": 12"))
    }

    @Test("the status as of the past shows installations by state, and no audience")
    func status() {
        let report = TokenStatusReport(
            app: shop, asOf: instant,
            rows: [.init(state: "active", kind: "alert", environment: "production", tokens: 3)],
            installations: 5,
            erasedInstallations: nil, audience: nil,
            installationStates: StateCounts([.active: 3, .retired: 2]), settings: nil)
        let text = report.lines(style).joined(separator: "\n")
        #expect(text.contains("from the ledger: what was decided before 2027-01-15 08:00 +00:00"))
        #expect(text.contains("not to be sent to"))
        #expect(text.contains("audience") == false)
        #expect(report.document.indentedText.contains("\"audience\"") == false)
        #expect(report.document.indentedText.contains("\"retired\": 2"))
    }
}
