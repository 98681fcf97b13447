import DeliveryModel
import Testing

@testable import landfall_bench

@Suite("The notifications for report measurements")
struct ReportTrafficTests {
    private let midnight = Instant(millisecondsSinceEpoch: Span.days(20_000).milliseconds)

    @Test(
        "cover 30 UTC days, 50 campaigns and a stream without a campaign, with all rows",
        arguments: [50_000, 1_000_003])
    func stretches(rows: Int) {
        let traffic = ReportTraffic(rows: rows, to: midnight)
        #expect(traffic.to == midnight)
        let days = (0..<ReportTraffic.days).map { traffic.stretches(ofDay: $0) }
        #expect(days.joined().reduce(0) { $0 + $1.rows } == rows)
        #expect(Set(days.joined().map(\.campaign)).count == 51)
        #expect(days.joined().count { $0.campaign.isEmpty } == 30)
        for (number, day) in days.enumerated() {
            let start = traffic.day(number)
            #expect(day.allSatisfy { $0.from >= start && $0.to <= start + .days(1) && $0.from < $0.to })
        }
    }
}

@Suite("The report on measured reports")
struct ReportsBenchReportTests {
    private func report(funnel: (Double, Double), sketched: Double?) -> ReportsBenchReport {
        func stage(_ rows: Int, _ funnel: Double) -> ReportsStage {
            ReportsStage(
                rows: rows, preparationSeconds: 1, sketchingSeconds: sketched == nil ? nil : 2,
                plainCount: Double(rows) / 10_000,
                reports: [
                    .init(title: "funnel", goal: .headline, milliseconds: funnel),
                    .init(title: "reach, sketched", goal: .sketched, milliseconds: sketched),
                ])
        }
        return ReportsBenchReport(
            machine: Machine(postgres: "15", swift: nil), settings: .full,
            small: SmallApp(
                notifications: 20_000, start: 30,
                reports: [
                    .init(title: "funnel", milliseconds: 240), .init(title: "doctor", milliseconds: 241),
                ]),
            stages: [stage(1_000_000, funnel.0), stage(10_000_000, funnel.1)])
    }

    private func text(_ report: ReportsBenchReport) -> String { report.lines.joined(separator: "\n") }

    @Test("states each goal for time and growth, and whether it is met")
    func goals() {
        let met = text(report(funnel: (20, 30), sketched: 50))
        #expect(met.contains("30 ms, 1.5 × met"))
        #expect(met.contains("50 ms met"))
        #expect(met.contains("1,000,000 notifications were sketched in 2.0 s"))
        #expect(text(report(funnel: (20, 31), sketched: 50)).contains("MISSED: funnel."))
        #expect(text(report(funnel: (10, 16), sketched: 50)).contains("30 ms, 1.5 × missed"))
        #expect(text(report(funnel: (20, 20), sketched: 51)).contains("MISSED: reach, sketched."))
    }

    @Test("compares commands on a small app with the start of the program")
    func smallApp() {
        let text = text(report(funnel: (20, 20), sketched: 50))
        #expect(text.contains("20,000 notifications"))
        #expect(text.contains(/funnel +240\.0 +8\.0 +8 × met/))
        #expect(text.contains(/doctor +241\.0 +8\.0 +8 × missed/))
        #expect(text.contains("MISSED: doctor."))
    }

    @Test("says so if nothing could be sketched")
    func withoutExtension() {
        let report = text(report(funnel: (20, 20), sketched: nil))
        #expect(report.contains("50 ms not measured"))
        #expect(report.contains("The server lacks the extension hll"))
    }
}
