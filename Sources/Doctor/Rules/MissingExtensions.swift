internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// Versions without a reporting extension while others of their platform have one.
enum NeverReportingVersions {
    static func findings(_ facts: [SilentExtensions.Fact], _ examination: Examination) -> [Finding] {
        Dictionary(grouping: facts, by: \.build.platform).sorted { $0.key < $1.key }
            .flatMap { findings(ofPlatform: $0.value, examination) }
    }

    private static func findings(
        ofPlatform facts: [SilentExtensions.Fact], _ examination: Examination
    ) -> [Finding] {
        let rules = examination.rules
        let judged = facts.filter { $0.arrivedInAll.denominator >= rules.neverReported }
        let reporting = judged.filter { $0.reports && $0.arrivedInAll.value ?? 0 >= rules.othersReport }
        let mute = mute(judged, rules)
        guard !reporting.isEmpty, !mute.isEmpty else {
            let misnamed = judged.filter { !$0.reports && $0.arrivedInAll.value ?? 0 >= rules.othersReport }
            return reporting.isEmpty && !misnamed.isEmpty ? [misnamedFinding(misnamed, examination)] : []
        }
        let lost = mute.filter { version in reporting.contains { version.build.isLater(than: $0.build) } }
        let old = mute.filter { !lost.contains($0) }
        return lost.map { finding([$0], .problem, reporting, examination) }
            + (old.isEmpty ? [] : [finding(old, .warning, reporting, examination)])
    }

    /// The versions that report almost nothing, if there are enough pushes to judge.
    static func mute(_ facts: [SilentExtensions.Fact], _ rules: DoctorRules) -> [SilentExtensions.Fact] {
        facts.filter { fact in
            fact.arrivedInAll.denominator >= rules.neverReported
                && (!fact.reports || fact.arrivedInAll.value ?? 1 <= rules.strayShare)
        }
    }

    /// No version reports, and yet arrivals come in: the extension and the registration spell it differently.
    private static func misnamedFinding(
        _ versions: [SilentExtensions.Fact], _ examination: Examination
    ) -> Finding {
        let arrived = versions.map(\.arrivedInAll).sum
        return Finding(
            .versionsMisnamed, .warning,
            "\(Words.count(arrived.numerator, "arrival")) from \(Words.list(versions.map(\.build.name))) "
                + "name a version that no installation has registered.",
            "An arrival counts for a version of the app only if it names that version as the app registers it, so no "
                + "version counts as reporting: coverage is too low, and arrival_capable is missing.",
            "Let the extension send the same app_version that the app registers, such as "
                + "CFBundleShortVersionString in both.",
            command: examination.command(
                "extension", options: versions.first.map { $0.build.platformOptions } ?? []),
            evidence: [.init("versions", versions, \.json), .init("arrival", arrived.json)])
    }

    private static func amount(_ mute: [SilentExtensions.Fact], _ rules: DoctorRules) -> String {
        let arrived = mute.map(\.arrivedInAll).sum
        if arrived.numerator == 0, !mute.contains(where: \.reports) { return "never reported an arrival" }
        let arrivals = "reported next to nothing (\(Words.count(arrived.numerator, "arrival")))"
        // Too many for strays: they came from devices that had been updated.
        return arrivals + (arrived.value ?? 0 > rules.strayShare ? ", naming another version or none," : "")
    }

    /// A problem if the extension was lost on the way: an earlier version has it.
    private static func finding(
        _ mute: [SilentExtensions.Fact], _ severity: Finding.Severity, _ reporting: [SilentExtensions.Fact],
        _ examination: Examination
    ) -> Finding {
        let reportable = mute.map(\.arrivedInAll).sum
        let others = reporting.map(\.arrivedInAll).sum
        let names = Words.list(mute.map(\.build.name))
        let isLost = severity == .problem
        return Finding(
            .extensionNeverReports, severity,
            "\(names) \(mute.count == 1 ? "has" : "have") \(amount(mute, examination.rules)) of "
                + "\(Words.number(reportable.denominator)) reportable pushes in the past week; "
                + "\(Words.list(reporting.map(\.build.name))) \(reporting.count == 1 ? "reports" : "report") "
                + "\(others.percentWords).",
            isLost
                ? "An earlier version reports, so the extension was lost with this one: it is missing from "
                    + "the app, has another deployment target, or crashes immediately."
                : "These versions are older than the first one with an extension. Their arrivals are "
                    + "unknown, which lowers the arrival rate.",
            isLost
                ? "Check that the notification service extension is embedded in the released app."
                : "Nothing until they are updated; arrival_capable excludes them.",
            command: examination.command(
                "extension", options: mute.first.map { $0.build.platformOptions } ?? []),
            evidence: [
                .init("versions", mute, \.json), .init("arrival", reportable.json),
                .init("reporting", others.json),
            ])
    }
}

/// Senders that do not set mutable-content, without which no extension runs.
enum MissingMutableContent: SingleDiagnosis {
    static let subject = "mutable-content of alerts"

    struct Fact: Hashable {
        /// Empty if there is no campaign.
        let campaign: String
        let topic: String
        /// The share of accepted alerts.
        let reportable: Proportion

        var name: String { campaign.isEmpty ? "pushes without a campaign" : "campaign \(campaign)" }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        try examination.query(.Doctor.mutableContent, examination.recent, on: connection).map { row in
            Fact(
                campaign: try row.get("campaign"), topic: try row.get("topic"),
                reportable: Proportion(try row.get("reportable"), of: try row.get("accepted")))
        }
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        guard !facts.isEmpty else { return .nothing }
        let alerts = Words.count(facts.map(\.reportable).sum.denominator, "accepted alert")
        let isEnough = facts.contains { $0.reportable.denominator >= examination.rules.alerts }
        return isEnough ? .judged(alerts) : .tooLittle(alerts)
    }

    static func finding(_ facts: [Fact], _ examination: Examination) -> Finding? {
        let rules = examination.rules
        let missing = facts.filter {
            $0.reportable.denominator >= rules.alerts && $0.reportable.value ?? 1 <= rules.reportableShare
        }
        guard !missing.isEmpty else { return nil }
        let reportable = missing.map(\.reportable).sum
        let all = facts.map(\.reportable).sum
        let without = reportable.denominator - reportable.numerator
        let topics = Set(missing.map(\.topic)).filter { !$0.isEmpty }.sorted().flatMap { ["--topic", $0] }
        return Finding(
            .mutableContentMissing, .warning,
            "\(Words.number(without)) of \(Words.number(reportable.denominator)) accepted alerts of "
                + "\(Words.list(missing.map(\.name))) were sent without mutable-content; "
                + "\(all.percentWords) of all alerts have it.",
            "Without it, the notification service extension does not run: there is no way to know "
                + "whether these notifications arrive, and pictures are not shown. They are excluded "
                + "from the arrival rate.",
            "Put \"mutable-content\": 1 into aps, and post mutable_content true (or omit it).",
            command: examination.command("funnel", options: ["--by", "campaign"] + topics),
            evidence: [
                .init("campaigns", missing) {
                    [
                        "campaign": .optional($0.campaign.isEmpty ? nil : $0.campaign),
                        "topic": .string($0.topic), "reportable": $0.reportable.json,
                    ]
                },
                .init("reportable", reportable.json), .init("all", all.json),
            ])
    }
}
