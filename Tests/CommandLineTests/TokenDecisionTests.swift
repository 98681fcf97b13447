import ArgumentParser
import DeliveryModel
import Testing

@testable import Dashboards
@testable import Rendering
@testable import Reports
@testable import TokenLifecycle

@Suite("Commands that decide about tokens") struct TokenDecisionTests {
    private let style = OutputStyle(usesUnicode: false, usesColor: false)
    private let instant = Instant(millisecondsSinceEpoch: 0)

    @Test(
        "reject what cannot be undone, an unknown environment and an unreadable instant as usage errors",
        arguments: [
            ["restore", "--rule", "registered", "--since", "24h"], ["restore", "--rule", "unregistered"],
            ["restore", "--rule", "unregistered", "--since", "soon"],
            ["release", "--environment", "moon"], ["confirm", "--environment", "moon"],
            ["deaths", "--from", "soon"], ["deaths", "--from", "24h", "--to", "2000-01-01"],
        ])
    func mistakes(arguments: [String]) {
        #expect(throws: (any Error).self) { try Landfall.parseAsRoot(["tokens"] + arguments) }
    }

    @Test("the plan of a release says what is held back, and what --apply does")
    func plan() {
        let report = HeldTokensReport(
            app: "shop", decision: .release, asOf: instant,
            groups: [
                .init(
                    environment: "production", topic: "com.example.shop", openedAt: instant, heldTokens: 1_200
                )
            ])
        let text = report.lines(style).joined(separator: "\n")
        #expect(text.contains("com.example.shop"))
        #expect(text.contains("1,200"))
        #expect(
            text.hasSuffix(
                "This is a plan: nothing was changed. With --apply, these 1,200 tokens become active again and the breaker is closed."
            ))
        #expect(report.document.indentedText.contains("\"applied\": null"))
    }

    @Test("afterward the output says how much was done, or that there is nothing to do")
    func done() {
        var report = HeldTokensReport(app: "shop", decision: .confirm, asOf: instant, groups: [])
        #expect(report.lines(style).last == "Nothing to do.")
        var result = TokenRunResult()
        result.changedCount = 7
        report.result = result
        #expect(report.lines(style).last == "Done: 7 are retired.")
        #expect(report.document.indentedText.contains("\"changed\": 7"))
    }

    @Test("false deaths have their rate and its interval")
    func deaths() {
        let rows = [
            FalseDeaths.Row(
                rule: "unregistered", retired: 100, revived: 3, accepted: 1, registered: 4, cameBack: 5)
        ]
        let report = FalseDeathsReport(
            app: App(appID: 1, slug: "shop"), window: instant..<(instant + .days(1)),
            asOf: instant + .days(2), deaths: FalseDeaths(rows: rows))
        let text = report.lines(style).joined(separator: "\n")
        #expect(text.contains("5.0 % (2.2-11.2)"))
        #expect(report.document.indentedText.contains("\"numerator\": 5"))
        #expect(report.csv.text.contains("unregistered,100,5,3,1,4,0.05,shop,"))
    }
}
