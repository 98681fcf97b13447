internal import Doctor
internal import Reports

extension MeasuredReport {
    /// All reports, in the order of the table. A report is one line here.
    static let all: [MeasuredReport] =
        counters("funnel") { try FunnelReport.run($0, on: $1, now: $2) }
        + [
            MeasuredReport(name: "funnel", by: [.hour], goal: .hourly) {
                try FunnelReport.run($0, on: $1, now: $2)
            }
        ]
        + counters("clicks") { try ClicksReport.run($0, on: $1, now: $2) }
        + facts("loss", { try LossReport.run($0, on: $1, now: $2) })
        + facts("rejections", { try RejectionsReport.run($0, on: $1, now: $2) })
        + [
            MeasuredReport(name: "extension", by: [], goal: .breakdown) {
                try ExtensionReport.run($0, on: $1, now: $2)
            }
        ]
        + facts("latency", rowsByTrait: true, { try LatencyReport.run($0, on: $1, now: $2) })
        + rows("reach, exact") { try ReachReport.run($0, on: $1, now: $2, exactly: true) }
        + sketches(sketchedReach) { try ReachReport.run($0, on: $1, now: $2) }

    /// Reports from the headline counters and the counters by segment.
    private static func counters(_ name: String, _ ask: @escaping Question) -> [MeasuredReport] {
        [
            MeasuredReport(name: name, by: [], goal: .headline, ask: ask),
            MeasuredReport(name: name, by: [.day], goal: .headline, ask: ask),
            MeasuredReport(name: name, by: [.campaign], goal: .headline, ask: ask),
            MeasuredReport(name: name, by: [.appVersion], goal: .breakdown, ask: ask),
        ]
    }

    /// Reports from counters that hold more than one number per quarter hour and campaign.
    ///
    /// - Parameter rowsByTrait: true if these counters have no traits, so that a breakdown by a trait has to
    ///   read notifications.
    private static func facts(
        _ name: String, rowsByTrait: Bool = false, _ ask: @escaping Question
    ) -> [MeasuredReport] {
        let breakdowns: [[Dimension]] = [[], [.day], [.campaign]]
        return breakdowns.map { MeasuredReport(name: name, by: $0, goal: .breakdown, ask: ask) } + [
            MeasuredReport(
                name: name, by: [.appVersion], goal: rowsByTrait ? .none : .breakdown, ask: ask)
        ]
    }

    /// Reports from notifications.
    private static func rows(_ name: String, _ ask: @escaping Question) -> [MeasuredReport] {
        let breakdowns: [[Dimension]] = [[], [.day], [.campaign], [.appVersion]]
        return breakdowns.map {
            MeasuredReport(name: name, by: $0, goal: .none, isAskedOnce: true, ask: ask)
        }
    }

    /// Reports from sketches, which are by UTC day; days of other time zones have to be combined.
    private static func sketches(_ name: String, _ ask: @escaping Question) -> [MeasuredReport] {
        let breakdowns: [[Dimension]] = [[], [.day], [.campaign]]
        return breakdowns.map { MeasuredReport(name: name, by: $0, goal: .sketched, ask: ask) }
            + [MeasuredReport(name: name, by: [.day], timeZone: "Europe/Berlin", goal: .none, ask: ask)]
    }
}
