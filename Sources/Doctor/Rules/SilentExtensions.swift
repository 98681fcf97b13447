internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// App versions whose notification service extension stopped reporting arrivals, or never did, unlike others.
enum SilentExtensions: Diagnosis {
    static let subject = "extensions of app versions"

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        guard !facts.isEmpty else { return .nothing }
        let rules = examination.rules
        let judged = facts.filter {
            isComparable($0, rules) || $0.arrivedInAll.denominator >= rules.neverReported
        }
        let pushes = Words.count(facts.total(\.arrived.denominator), "reportable push", "reportable pushes")
        guard !judged.isEmpty else { return .tooLittle(pushes) }
        return .judged("\(pushes), \(Words.count(Int64(judged.count), "version"))")
    }

    /// A version that reported less than before.
    struct Silence {
        let fact: Fact
        let hours: BadHours
        /// The other versions of its platform.
        let others: [Fact]
        /// Whether the silence continues.
        let course: Course
    }

    static func findings(_ facts: [Fact], _ examination: Examination) -> [Finding] {
        silences(facts, examination).map { finding($0, examination) }
            + NeverReportingVersions.findings(facts, examination)
    }

    static func silences(_ facts: [Fact], _ examination: Examination) -> [Silence] {
        let rules = examination.rules
        let judged = facts.filter { isComparable($0, rules) }
        return judged.compactMap { fact in
            let others = judged.filter { $0.build != fact.build && $0.build.platform == fact.build.platform }
            guard let hours = silentHours(fact, others, rules) else { return nil }
            let isWell = !isLess(
                hours.after, in: hours.hoursAfter, than: rules.recoveredPart, fact, others, rules)
            let course = hours.course(
                enough: rules.reportable, until: examination.settled.upperBound, isWell: isWell)
            return Silence(fact: fact, hours: hours, others: others, course: course)
        }
    }

    private static func isComparable(_ fact: Fact, _ rules: DoctorRules) -> Bool {
        fact.reports && fact.arrived.denominator >= rules.reportable
            && fact.arrivedBefore.denominator >= rules.reportableBefore
            && fact.arrivedBefore.value ?? 0 >= rules.reportedBefore
    }

    private static func silentHours(_ fact: Fact, _ others: [Fact], _ rules: DoctorRules) -> BadHours? {
        guard let before = fact.arrivedBefore.value else { return nil }
        let shares = fact.lately.compactMap { hour in
            hour.start.map { BadHours.Hour(start: $0, share: hour.arrived) }
        }
        return BadHours.latest(
            of: shares, enough: rules.reportable, isBad: { $0.value ?? 1 <= before * rules.reportedPart }
        ) {
            isLess($0.judged, in: $0.hours, than: rules.reportedPart, fact, others, rules)
        }
    }

    /// Whether a version certainly reports less than this part of what it did, when the others do not.
    private static func isLess(
        _ arrived: Proportion, in hours: [Instant], than part: Double, _ fact: Fact, _ others: [Fact],
        _ rules: DoctorRules
    ) -> Bool {
        guard let share = arrived.value, let before = fact.arrivedBefore.value else { return false }
        return share <= before * lateness(of: others, in: hours, rules) * part
            && arrived.standardErrors(above: fact.arrivedBefore) <= -rules.sureness
    }

    /// The part of their earlier arrivals that the other versions report in these hours; 1 if they
    /// have too few. At night devices are off, and all versions report later.
    private static func lateness(of others: [Fact], in hours: [Instant], _ rules: DoctorRules) -> Double {
        let now = others.flatMap { $0.within(hours) }.map(\.arrived).sum
        let before = others.map(\.arrivedBefore).sum
        guard now.denominator >= rules.reportable, let share = now.value, let shareBefore = before.value,
            shareBefore > 0
        else { return 1 }
        return min(1, max(rules.latePart, share / shareBefore))
    }

    private static func finding(_ silence: Silence, _ examination: Examination) -> Finding {
        let (fact, hours, others) = (silence.fact, silence.hours, silence.others)
        let arrived = hours.bad
        let responded = fact.within(hours.hours).map(\.responded).sum
        let other = others.flatMap { $0.within(hours.hours) }.map(\.arrived).sum
        let otherBefore = others.map(\.arrivedBefore).sum
        let elsewhere =
            other.value == nil
            ? ""
            : " The other versions reported \(other.percentWords), and \(otherBefore.percentWords) before."
        let (looked, course) = (examination.settled, silence.course)
        return Finding(
            .extensionSilent, course == .isOver ? .warning : .problem,
            "The extension of \(fact.build.name) reported \(arrived.ofWords) pushes (\(arrived.percentWords)) "
                + "\(hours.words(within: looked)), compared with \(fact.arrivedBefore.percentWords) in the "
                + "week before.\(elsewhere) \(course.sentence(hours.after, "were reported"))",
            "Too few arrivals of this version are counted: the extension crashes, runs out of time or "
                + "memory, or its events do not reach this server. Other events of this version: "
                + "\(responded.percentWords), before \(fact.respondedBefore.percentWords).",
            "Check what changed for this version: a release of the extension, its key, the address it "
                + "posts to, a new OS version.",
            command: examination.command("extension", options: fact.build.options),
            evidence: fact.build.json + hours.evidence(course, within: looked) + [
                .init("arrival", arrived.json), .init("arrival_before", fact.arrivedBefore.json),
                .init("responded", responded.json), .init("responded_before", fact.respondedBefore.json),
                .init("others", other.json), .init("others_before", otherBefore.json),
            ])
    }
}

extension SilentExtensions {
    /// The shares of reportable notifications within an hour.
    struct Hour: Hashable, Sendable {
        /// `nil` for the whole week before.
        let start: Instant?
        let arrived: Proportion
        /// Presented, clicked or dismissed, of the same ones: posted by the app, not the extension.
        let responded: Proportion
    }

    struct Fact: Hashable, Sendable {
        let build: AppBuild
        /// The recent hours, and one for the week before.
        let hours: [Hour]
        /// Whether it has a reporting extension, by all that was ever counted.
        let reports: Bool

        /// Arrivals of reportable notifications, recently and in the week before.
        var arrived: Proportion { lately.map(\.arrived).sum }
        var arrivedBefore: Proportion { before.map(\.arrived).sum }
        var arrivedInAll: Proportion { hours.map(\.arrived).sum }
        var respondedBefore: Proportion { before.map(\.responded).sum }

        var json: JSONValue { .object(build.json + [.init("arrival", arrivedInAll.json)]) }

        var lately: [Hour] { hours.filter { $0.start != nil } }
        private var before: [Hour] { hours.filter { $0.start == nil } }

        /// The recent hours that began at these instants.
        func within(_ starts: [Instant]) -> [Hour] {
            let starts = Set(starts)
            return hours.filter { hour in hour.start.map { starts.contains($0) } ?? false }
        }
    }

    /// The version with the most reportable notifications first.
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        let rows = try connection.query(
            .Doctor.reportingVersions,
            [
                .value(examination.app.appID), .value(examination.weekBefore.lowerBound),
                .value(examination.settled.lowerBound), .value(examination.settled.upperBound),
            ])
        var hours: [AppBuild: [Hour]] = [:]
        var reporting: Set<AppBuild> = []
        for row in rows {
            let build: AppBuild = try row.decode()
            let reportable: Int64 = try row.get("reportable")
            hours[build, default: []].append(
                Hour(
                    start: try row.getOptional("hour"),
                    arrived: Proportion(try row.get("arrived"), of: reportable),
                    responded: Proportion(try row.get("responded"), of: reportable)))
            if try row.get("version_reports") { reporting.insert(build) }
        }
        return hours.map { Fact(build: $0.key, hours: $0.value, reports: reporting.contains($0.key)) }
            .sorted {
                ($1.arrived.denominator, $0.build.name) < ($0.arrived.denominator, $1.build.name)
            }
    }
}
