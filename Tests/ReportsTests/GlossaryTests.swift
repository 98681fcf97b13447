import DeliveryModel
import Foundation
import Testing

@testable import Reports

@Suite struct GlossaryTests {
    @Test("every number that reports print is explained once, under its key")
    func complete() {
        let ids = Metric.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        for measure in Measure.allCases { #expect(ids.contains(measure.rawValue)) }
        for measure in UnmatchedMeasure.allCases { #expect(ids.contains(measure.rawValue)) }
        for rate in Funnel.rates + Clicks.rates { #expect(ids.contains(rate.id)) }
        for quantile in LatencyQuantile.allCases { #expect(ids.contains(quantile.rawValue)) }
        #expect(ids.contains("share"))
        for loss in Loss.allCases { #expect(ids.contains(loss.rawValue)) }
        for id in ["arrival_capable", "coverage", "arrival_estimated", "receipt_loss", "lift"] {
            #expect(ids.contains(id))
        }
        for number in PermissionsReport.Number.allCases { #expect(ids.contains(number.rawValue)) }
        for id in ["alerts_off", "opt_in", "opt_outs", "opt_out", "usual_opt_out"] {
            #expect(ids.contains(id))
        }
        for id in ["audience", "targeted", "reached", "engaged", "reach", "audience_reach"] {
            #expect(ids.contains(id))
        }
    }

    @Test(
        "a rate's formula is its division",
        arguments: [
            Rate.acceptance, .arrival, .clickThrough, .clickPerAccepted, .dismissal, .receiptLoss,
        ])
    func formulas(rate: Rate) throws {
        let metric = try #require(Metric.all.first { $0.id == rate.id })
        #expect(metric.formula == "\(rate.numerator.rawValue) / \(rate.denominator.rawValue)")
        #expect(metric.unit == .share)
    }

    @Test("more clicks are good news, more rejections bad, more dismissals neither")
    func rise() {
        for rate in Funnel.rates + [.clickPerAccepted] { #expect(Metric.rise(of: rate.id) == .good) }
        #expect(Metric.rise(of: "reach") == .good)
        for id in ["share", "receipt_loss"] { #expect(Metric.rise(of: id) == .bad) }
        for id in ["dismissal", "attempted", "no such number"] { #expect(Metric.rise(of: id) == .neither) }
    }

    @Test("a number is found under any spelling of its name; a wrong name returns a similar one")
    func names() throws {
        let clickThrough = try #require(Metric.all.first { $0.id == "click_through" })
        #expect(try Metric.named("Click-Through") == .metric(clickThrough))
        #expect(throws: ReportError.unknownMetric("click_trough", closest: "click_through")) {
            try Metric.named("click_trough")
        }
        #expect(throws: ReportError.unknownMetric("bounce rte", closest: "bounce rate")) {
            try Metric.named("bounce rte")
        }
        #expect(throws: ReportError.unknownMetric("weather", closest: nil)) { try Metric.named("weather") }
    }

    @Test(
        "industry terms lead to numbers",
        arguments: [
            ("CTR", ["click_through", "click_per_accepted"]),
            ("Open Rate", ["click_per_accepted", "click_through"]),
            ("delivery_rate", ["acceptance", "arrival", "arrival_estimated"]),
            ("delivered", ["accepted", "arrived", "confirmed"]), ("Direct opens", ["opened", "clicked"]),
            ("Actioned %", ["click_per_accepted"]), ("uninstalls", ["rejected_token_dead"]),
            ("influenced opens", []),
        ])
    func market(name: String, ids: [String]) throws {
        guard case .term(let term) = try Metric.named(name) else {
            Issue.record("\(name) is no word of the market")
            return
        }
        #expect(term.ids == ids)
        #expect(!ids.isEmpty || !term.remark.isEmpty)
    }

    @Test("every term leads to numbers that exist, and no term has two meanings")
    func terms() throws {
        let ids = Set(Metric.all.map(\.id))
        for term in MarketTerm.all {
            #expect(ids.isSuperset(of: term.ids), "\(term.names)")
            for name in term.names { #expect(!ids.contains(name) || term.ids.contains(name), "\(name)") }
        }
        let names = MarketTerm.all.flatMap(\.names)
        #expect(Set(names).count == names.count)
    }

    @Test("the terms that the glossary mentions from other systems can be looked up")
    func elsewhere() throws {
        for metric in Metric.all {
            for other in metric.elsewhere where other.name != "not counted" && !other.name.hasPrefix("none") {
                #expect(throws: Never.self, "\(other.name)") { try Metric.named(other.name) }
            }
        }
    }

    @Test("docs/metrics.md is the glossary")
    func page() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/metrics.md")
        let text = GlossaryPage.lines.map { $0 + "\n" }.joined()
        if ProcessInfo.processInfo.environment["LANDFALL_GOLDEN"] == "write" {
            try Data(text.utf8).write(to: file)
        }
        let written = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        for (line, expected) in zip(written, text.split(separator: "\n")) { #expect(line == expected) }
        #expect(written.count == text.split(separator: "\n").count)
    }
}
