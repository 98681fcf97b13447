internal import Access
internal import DeliveryModel
internal import PostgresClient
internal import SQLFiles

/// App versions whose notification service extension stopped reporting arrivals, or never did while that of others does.
enum SilentExtensions: Diagnosis {
    static let subject = "extensions of app versions"

    struct Fact: Hashable {
        let build: AppBuild
        /// Reported of reportable ones, lately and in the week before.
        let arrived: Proportion
        let arrivedBefore: Proportion
        /// Presented, clicked or dismissed, of the same ones: what the app reports, not the extension.
        let responded: Proportion
        let respondedBefore: Proportion
        /// Whether it has ever reported anything.
        let hasReported: Bool

        var arrivedInAll: Proportion { arrived + arrivedBefore }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        let rows = try connection.query(
            .Doctor.reportingVersions,
            [
                .value(examination.app.appID), .value(examination.weekBefore.lowerBound),
                .value(examination.settled.lowerBound), .value(examination.settled.upperBound),
            ])
        return try rows.map { row in
            let reportable: Int64 = try row.get("reportable")
            let before: Int64 = try row.get("reportable_before")
            return Fact(
                build: AppBuild(platform: try row.get("platform"), version: try row.get("app_version")),
                arrived: Proportion(try row.get("arrived"), of: reportable),
                arrivedBefore: Proportion(try row.get("arrived_before"), of: before),
                responded: Proportion(try row.get("responded"), of: reportable),
                respondedBefore: Proportion(try row.get("responded_before"), of: before),
                hasReported: try row.getOptional("first_reported_at", as: Instant.self) != nil)
        }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        guard !facts.isEmpty else { return .nothing }
        let rules = examination.rules
        let judged = facts.filter {
            isComparable($0, rules) || $0.arrivedInAll.denominator >= rules.neverReported
        }
        let pushes = Words.count(
            facts.reduce(0) { $0 + $1.arrived.denominator }, "reportable push", "reportable pushes")
        guard !judged.isEmpty else { return .tooLittle(pushes) }
        return .judged("\(pushes), \(Words.count(Int64(judged.count), "version", "versions"))")
    }

    static func findings(_ facts: [Fact], _ examination: Examination) -> [Finding] {
        stopped(facts, examination) + NeverReportingVersions.findings(facts, examination)
    }

    private static func isComparable(_ fact: Fact, _ rules: DoctorRules) -> Bool {
        fact.arrived.denominator >= rules.reportable
            && fact.arrivedBefore.denominator >= rules.reportableBefore
            && fact.arrivedBefore.value ?? 0 >= rules.reportedBefore
    }

    private static func stopped(_ facts: [Fact], _ examination: Examination) -> [Finding] {
        let rules = examination.rules
        let judged = facts.filter { isComparable($0, rules) }
        let silent = judged.filter { fact in
            guard let share = fact.arrived.value, let before = fact.arrivedBefore.value else { return false }
            return share <= before * rules.reportedPart
                && fact.arrived.standardErrors(above: fact.arrivedBefore) <= -rules.sureness
        }
        return silent.map { finding($0, others: judged, examination) }
    }

    private static func finding(_ fact: Fact, others: [Fact], _ examination: Examination) -> Finding {
        let rest = others.filter { $0.build != fact.build }
        let (other, otherBefore) = (rest.map(\.arrived).sum, rest.map(\.arrivedBefore).sum)
        let elsewhere =
            other.value == nil
            ? "" : " Of the other versions it is \(other.percentWords), and was \(otherBefore.percentWords)."
        return Finding(
            .extensionSilent, .problem,
            "The extension of \(fact.build.name) reported \(fact.arrived.ofWords) pushes (\(fact.arrived.percentWords)) in the "
                + "\(Words.lastHours(examination.hours)), against \(fact.arrivedBefore.percentWords) in the week "
                + "before.\(elsewhere)",
            meaning:
                "Arrivals of this version are counted too low: the extension crashes, runs out of time or memory, or its "
                + "reports do not get through. Clicks of it: \(fact.responded.percentWords), before \(fact.respondedBefore.percentWords).",
            remedy:
                "Look at what changed for this version: a release of the extension, its key, the address it posts to, a new "
                + "version of the OS.",
            command: examination.command(
                "funnel", options: ["--by", "app_version,os_version"] + fact.build.options),
            evidence: fact.build.json + [
                .init("arrival", fact.arrived.json), .init("arrival_before", fact.arrivedBefore.json),
                .init("responded", fact.responded.json), .init("responded_before", fact.respondedBefore.json),
                .init("others", other.json), .init("others_before", otherBefore.json),
            ])
    }
}
