import DeliveryModel
import Reports
import Simulation
import Testing

@testable import Dashboards
@testable import Rendering

@Suite("The check of reports against the truth")
struct TruthCheckTests {
    private static let truth = SimulatedDay.traffic.truth

    /// The figures of flawless reports.
    private static let flawless: ReportedFigures = {
        var figures = ReportedFigures()
        figures.totals = MeasureCounts(truth.totals)
        figures.unmatched = Int64(truth.unmatched)
        for row in truth.campaigns { figures.campaigns[row.key ?? ""] = MeasureCounts(row.counts) }
        figures.clicks = figures.campaigns
        for row in truth.hours {
            let hour = ReportTimeZone.utc.rfc3339(Instant(millisecondsSinceEpoch: row.start))
            figures.hours[hour] = MeasureCounts(row.counts)
        }
        figures.targeted = Int64(truth.installations.targeted)
        figures.reached = Int64(truth.installations.reached)
        figures.engaged = Int64(truth.installations.engaged)
        let audience = Int64(truth.installations.audience + truth.tokens.unregistered.active)
        figures.audiences = (audience, audience)
        figures.installations = Int64(truth.installations.registered)
        figures.tokens = [
            "active": Int64(truth.tokens.total.active), "suspect": Int64(truth.tokens.total.suspect),
            "retired": Int64(truth.tokens.total.retired),
        ]
        return figures
    }()

    @Test("finds nothing in flawless reports, and compares every group")
    func flawless() {
        let check = TruthCheck(Self.truth, Self.flawless)
        #expect(check.differenceCount == 0)
        #expect(check.comparisonCount > 500)
        #expect(check.groups.allSatisfy { !$0.comparisons.isEmpty })
    }

    @Test("leaves out what a breaker decides if the traffic opens one, and nothing else")
    func breaker() {
        var figures = Self.flawless
        figures.tokens["active", default: 0] += 5
        figures.tokens["retired", default: 0] -= 5
        figures.audiences = (figures.audiences.reach + 5, figures.audiences.tokens + 5)
        #expect(TruthCheck(Self.truth, figures).differenceCount == 4)
        #expect(TruthCheck(Self.truth, figures, opensBreaker: true).differenceCount == 0)
        figures.installations += 1
        #expect(TruthCheck(Self.truth, figures, opensBreaker: true).differenceCount == 1)
    }

    struct Mistake: CustomTestStringConvertible, Sendable {
        let name: String
        let group: String
        let plant: @Sendable (inout ReportedFigures) -> Void

        var testDescription: String { name }
    }

    @Test(
        "finds one wrong number and says where it is",
        arguments: [
            Mistake(name: "a click too many", group: "totals") { $0.totals[.clicked] += 1 },
            Mistake(name: "a rejection of another class", group: "totals") {
                $0.totals[.rejectedUnknown] -= 1
            },
            Mistake(name: "an unmatched one lost", group: "totals") { $0.unmatched -= 1 },
            Mistake(name: "an arrival in a campaign", group: "by campaign") {
                $0.campaigns["spring-sale"]?[.arrived] += 1
            },
            Mistake(name: "without a campaign", group: "by campaign") { $0.campaigns[""]?[.dismissed] += 1 },
            Mistake(name: "a contradicted one in an hour", group: "by hour") {
                $0.hours["2026-03-01T02:00:00+00:00", default: MeasureCounts()][.contradicted] += 1
            },
            Mistake(name: "a click in the click report", group: "clicks") {
                $0.clicks["flash-news"]?[.clicked] -= 1
            },
            Mistake(name: "an installation reached twice", group: "reach") { $0.reached += 1 },
            Mistake(name: "the audience of the reach report", group: "reach") { $0.audiences.reach -= 1 },
            Mistake(name: "the audience of the token report", group: "tokens") { $0.audiences.tokens += 1 },
            Mistake(name: "a stale token", group: "tokens") { $0.tokens["stale"] = 1 },
        ])
    func plantedDifference(mistake: Mistake) {
        var figures = Self.flawless
        mistake.plant(&figures)
        let check = TruthCheck(Self.truth, figures)
        #expect(check.differenceCount == 1)
        #expect(check.groups.filter { !$0.differences.isEmpty }.map(\.name) == [mistake.group])
    }

    @Test("reports a missing row and an extra row")
    func rows() {
        var figures = Self.flawless
        figures.campaigns["spring-sale"] = nil
        var unknown = MeasureCounts()
        unknown.add(1, in: [.attempted, .accepted])
        figures.campaigns["never-sent"] = unknown
        let differences = TruthCheck(Self.truth, figures).groups.flatMap(\.differences)
        #expect(Set(differences.map(\.place)) == ["spring-sale", "never-sent"])
        #expect(
            differences.filter { $0.place == "never-sent" }.allSatisfy { $0.really == 0 && $0.reported == 1 })
    }

    @Test("prints a line per group, and each difference with both numbers")
    func table() {
        let style = OutputStyle(usesUnicode: false, usesColor: false)
        let flawless = TruthCheck(Self.truth, Self.flawless).lines(style)
        #expect(flawless.count == 6)
        #expect(flawless.allSatisfy { $0.hasSuffix("all equal") })

        var figures = Self.flawless
        figures.engaged += 2
        let lines = TruthCheck(Self.truth, figures).lines(style)
        #expect(lines.contains { $0.hasPrefix("  reach ") && $0.hasSuffix("1 differ") })
        let fields = lines.last?.split(separator: " ").map(String.init) ?? []
        let engaged = Self.truth.installations.engaged
        #expect(fields == ["reach", "installations", "engaged", "\(engaged)", "\(engaged + 2)", "+2"])
    }
}
