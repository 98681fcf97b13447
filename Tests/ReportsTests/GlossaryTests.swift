import DeliveryModel
import Foundation
import Testing

@testable import Reports

@Suite struct GlossaryTests {
    @Test("every number that reports print is explained, under its key, once")
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
        for id in ["audience", "targeted", "reached", "engaged", "reach", "audience_reach"] {
            #expect(ids.contains(id))
        }
    }

    @Test(
        "a rate's formula is what is divided",
        arguments: [
            Rate.acceptance, .arrival, .clickThrough, .clickPerAccepted, .dismissal, .receiptLoss,
        ])
    func formulas(rate: Rate) throws {
        let metric = try Metric.named(rate.id)
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

    @Test("a number is found however its name is written; a wrong name is answered with a near one")
    func names() throws {
        #expect(try Metric.named("Click-Through").id == "click_through")
        #expect(throws: ReportError.unknownMetric("click_trough", closest: "click_through")) {
            try Metric.named("click_trough")
        }
        #expect(throws: ReportError.unknownMetric("delivered", closest: nil)) {
            try Metric.named("delivered")
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
