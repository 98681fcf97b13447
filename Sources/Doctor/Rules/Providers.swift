internal import DeliveryModel
internal import PostgresClient
internal import Reports

/// Hours in which a provider failed, throttled or did not respond.
enum ProviderOutage: Diagnosis {
    static let subject = "providers"

    struct Fact: Hashable, Decodable {
        let provider: String
        /// The start of the hour.
        let hour: Instant
        let attempted: Int64
        let providerError: Int64
        let throttled: Int64
        /// Without a response.
        let silent: Int64

        var failing: Proportion { Proportion(providerError + throttled + silent, of: attempted) }
    }

    /// Reads the last hours and the day before.
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> [Fact] {
        let span = examination.recent
        let hours = (span.lowerBound - .days(1))..<span.upperBound
        return try examination.query(.Doctor.providerHours, hours, on: connection).decode()
    }

    static func examined(_ facts: [Fact], _ examination: Examination) -> Examined {
        let recent = facts.filter { $0.hour >= examination.recent.lowerBound.startOfHour }
        guard !recent.isEmpty else { return .nothing }
        let hours = recent.filter { $0.attempted >= examination.rules.hourlyAttempts }.count
        let providers = Words.list(Set(recent.map(\.provider)).sorted())
        guard hours > 0 else { return .tooLittle(providers) }
        return .judged("\(providers), \(Words.count(Int64(hours), "hour")) with enough pushes")
    }

    static func findings(_ facts: [Fact], _ examination: Examination) -> [Finding] {
        let start = examination.recent.lowerBound.startOfHour
        return Dictionary(grouping: facts, by: \.provider).sorted { $0.key < $1.key }
            .compactMap { _, facts in
                let usual = facts.filter { $0.hour < start }.map(\.failing).sum
                let recent = facts.filter { $0.hour >= start }.sorted { $0.hour < $1.hour }
                let bad = recent.filter { isBad($0.failing, usual, examination.rules) }
                guard let last = bad.last else { return nil }
                let after = recent.filter { $0.hour > last.hour }.map(\.failing).sum
                return finding(bad, after, usual, examination)
            }
    }

    private static func isBad(_ failing: Proportion, _ usual: Proportion, _ rules: DoctorRules) -> Bool {
        guard failing.denominator >= rules.hourlyAttempts, failing.numerator >= rules.hourlyFailures,
            let share = failing.value, share >= rules.failingShare
        else { return false }
        if share >= rules.certainlyFailingShare { return true }
        guard usual.denominator >= rules.hourlyAttempts, let usualShare = usual.value else {
            return failing.surelyAtLeast(rules.sureness) >= rules.failingShare
        }
        return share >= usualShare * rules.failingRatio
            && failing.standardErrors(above: usual) >= rules.sureness
    }

    /// Whether hardly anything failed, or not certainly more than on the day before.
    private static func isWell(_ after: Proportion, _ usual: Proportion, _ rules: DoctorRules) -> Bool {
        guard let share = after.value, share >= rules.failingShare else { return true }
        guard !isBad(after, usual, rules), usual.denominator >= rules.hourlyAttempts else { return false }
        return after.standardErrors(above: usual) < rules.sureness
    }

    /// - Parameters:
    ///   - bad: in chronological order.
    ///   - after: the share in all later hours, because hours with few pushes are judged together.
    private static func finding(
        _ bad: [Fact], _ after: Proportion, _ usual: Proportion, _ examination: Examination
    ) -> Finding {
        let (first, last) = (bad[0], bad[bad.count - 1])
        let course = Course(
            since: last.hour + .hours(1), after, enough: examination.rules.hourlyAttempts,
            until: examination.recent.upperBound, isWell: isWell(after, usual, examination.rules))
        let failing = bad.map(\.failing).sum
        let (errors, throttled, silent) = (
            bad.total(\.providerError), bad.total(\.throttled), bad.total(\.silent)
        )
        let causes = [(errors, "provider errors"), (throttled, "throttled"), (silent, "without a response")]
            .filter { $0.0 > 0 }.map { "\(Words.number($0.0)) \($0.1)" }
        let isThrottled = throttled * 2 > failing.numerator
        let end = min(last.hour + .hours(1), examination.recent.upperBound)
        return Finding(
            .providerOutage, [.goesOn, .tooLittleSince].contains(course) ? .problem : .warning,
            "\(failing.ofWords) pushes (\(failing.percentWords)) failed at \(first.provider) in "
                + "\(Words.count(Int64(bad.count), "hour")) \(Words.span(first.hour, end)): \(Words.list(causes)). "
                + "On the day before, \(usual.percentWords) failed. \(course.sentence(after, "failed"))",
            isThrottled
                ? "The provider accepts fewer pushes than are sent: to one device, or over one connection."
                : "The provider, or the connection to it, has problems. Such responses change no token.",
            isThrottled
                ? "Send more slowly, and send throttled pushes again later under the same notification_id."
                : "Check the status page of the provider and your network; send rejected pushes again under "
                    + "the same notification_id, a quarter of an hour after a 5xx.",
            command: examination.command(
                "rejections", options: ["--by", "hour", "--provider", first.provider]),
            evidence: [
                .init("provider", .string(first.provider)), .init("from", .string(first.hour.rfc3339)),
                .init("to", .string(end.rfc3339)), .init("hours", .integer(Int64(bad.count))),
                .init("course", .string(course.rawValue)), .init("after", after.json),
                .init("failing", failing.json), .init("usual", usual.json),
                .init("provider_error", .integer(errors)), .init("throttled", .integer(throttled)),
                .init("no_answer", .integer(silent)),
            ])
    }
}

/// Responses whose reason is on no list: a misspelling by the sender, an exception's name instead
/// of the provider's word, or a new word of the provider.
enum UnlistedResponses: SingleDiagnosis {
    static let subject = "reasons of responses"

    struct Facts: Hashable {
        struct Response: Hashable, Decodable {
            let provider: String
            let status: Int64
            let reason: String?
            let rejected: Int64

            var spoken: String {
                "\(providerName(provider)) \(responseWords(status: status, reason: reason))"
            }
        }

        /// The most frequent first.
        let responses: [Response]
        let attempted: Int64

        var unlisted: Int64 { responses.total(\.rejected) }
    }

    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Facts {
        let rows = try examination.query(.Doctor.unlistedResponses, examination.recent, on: connection)
        return Facts(
            responses: try rows.filter { try !$0.isNull("provider") }.map { try $0.decode() },
            attempted: try rows.first?.get("attempted") ?? 0)
    }

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        facts.attempted == 0
            ? .nothing : .judged("\(Words.count(facts.unlisted, "response")) on no list")
    }

    static func finding(_ facts: Facts, _ examination: Examination) -> Finding? {
        guard facts.unlisted >= examination.rules.unlistedResponses else { return nil }
        let most = facts.responses.prefix(3)
        let words = Words.list(most.map { "\(Words.number($0.rejected)) \($0.spoken)" })
        let rest = facts.responses.count > most.count ? ", and others" : ""
        return Finding(
            .unlistedResponses, .warning,
            "\(Words.count(facts.unlisted, "response has", "responses have")) a reason that is on no list"
                + ": \(words)\(rest).",
            "They count as unknown, or under the entry that covers all other reasons of their status, "
                + "and change no token: a dead token among them stays active.",
            "Post the provider's error unchanged in error (FCM's error object, the body of APNs), or "
                + "the provider's own word in reason; docs/http.md lists where senders find it. If the "
                + "provider has a new word, it needs a row in provider_reason.",
            command: examination.command("rejections"),
            evidence: [
                .init("unlisted", Proportion(facts.unlisted, of: facts.attempted).json),
                .init("responses", most) {
                    [
                        "provider": .string($0.provider), "status": .integer($0.status),
                        "reason": .optional($0.reason), "rejected": .integer($0.rejected),
                    ]
                },
            ])
    }
}
