internal import DeliveryModel
internal import Documents

/// Addresses where most pushes are rejected, but were not in the week before: the sender uses the
/// wrong host, a template grew too long, or a header is wrong.
enum RefusedAddresses {
    /// Credentials, topics and environments have findings of their own, from lower shares on.
    static let classes: [RejectionClass] = [.tokenSuspect, .payloadError, .requestError, .unknown]

    /// - Parameter refusals: what is already reported. Builds whose own tokens are bad are excluded here.
    static func findings(
        _ facts: RefusedBuilds.Facts, besides refusals: [Refusal], _ examination: Examination
    ) -> [Finding] {
        let blamed = refusals.filter { $0.refusal == .tokenSuspect }
        func isBlamed(_ fact: RefusedBuilds.Fact) -> Bool {
            blamed.contains { $0.address == fact.address && $0.build == fact.build }
        }
        let addresses = Dictionary(grouping: facts.lately.filter { !isBlamed($0) }, by: \.address)
        return addresses.sorted { $0.key < $1.key }.compactMap { address, pushes in
            let before = facts.before.filter { $0.address == address && !isBlamed($0) }.refused(classes)
            let rules = examination.rules
            let hours = BadHours.latest(
                of: pushes.byHour(classes), enough: rules.refusedAttempts,
                isBad: { $0.value ?? 0 >= rules.mostlyRefusedShare },
                isSure: { isNew($0.judged, before, rules) })
            guard let hours else { return nil }
            return finding(address, pushes.within(hours.hours), hours, before, facts, examination)
        }
    }

    /// Whether most pushes are rejected, and clearly more than in the week before.
    private static func isNew(_ refused: Proportion, _ before: Proportion, _ rules: DoctorRules) -> Bool {
        guard refused.denominator >= rules.refusedAttempts, let share = refused.value else { return false }
        guard before.denominator >= rules.refusedAttempts, let shareBefore = before.value else {
            return refused.surelyAtLeast(rules.sureness) >= rules.mostlyRefusedShare
        }
        return share >= shareBefore * rules.mostlyRefusedRatio
            && refused.standardErrors(above: before) >= rules.sureness
    }

    private static func finding(
        _ address: RefusedBuilds.Address, _ pushes: [RefusedBuilds.Fact], _ hours: BadHours,
        _ before: Proportion, _ facts: RefusedBuilds.Facts, _ examination: Examination
    ) -> Finding {
        let (refused, looked) = (hours.bad, examination.looked)
        let course = hours.course(
            enough: examination.rules.refusedAttempts, until: looked.upperBound,
            isWell: RefusedBuilds.isWell(hours.after, before, examination.rules))
        let counts = classes.map { (name: $0, count: pushes.refused([$0]).numerator) }
        let most = counts.max { $0.count < $1.count }?.name ?? .unknown
        let response = facts.response(to: pushes, [most])
        let words = response.map { ", mostly \($0.spoken)" } ?? ""
        let usual = before.value.map { _ in " In the week before, \(before.percentWords) were." } ?? ""
        return Finding(
            .refused, course == .isOver ? .warning : .problem,
            "\(refused.ofWords) pushes (\(refused.percentWords)) were rejected (\(address.name)) "
                + "\(hours.words(within: looked))\(words).\(usual) \(course.sentence(hours.after, "were rejected"))",
            meaning: meaning(most), remedy: remedy(most, response, address),
            command: examination.command(
                "rejections",
                options: ["--by", most == .tokenSuspect ? "app_version" : "campaign"] + address.options),
            evidence: address.json
                + [
                    .init("class", .string(most.rawValue)), .init("answer", .optional(response?.spoken)),
                ] + hours.evidence(course, within: looked)
                + [.init("refused", refused.json), .init("before", before.json)]
                + counts.map { .init($0.name.rawValue, .integer($0.count)) })
    }

    private static func meaning(_ refusal: RejectionClass) -> String {
        switch refusal {
        case .tokenSuspect:
            "Tokens of all builds do not become bad at once: the sender uses the host of the other "
                + "environment, or sends something other than the tokens it was given."
        case .payloadError:
            "The provider does not accept the payload of these pushes, so no one receives them."
        case .requestError:
            "The provider does not accept the requests for these pushes, so no one receives them."
        default: "The provider returns a response that Landfall does not know, so it changes no token."
        }
    }

    /// The advice about the response itself, as in `landfall rejections`.
    private static func remedy(
        _ refusal: RejectionClass, _ response: RejectedResponse?, _ address: RefusedBuilds.Address
    ) -> String {
        // Without one response that dominates, the advice is that for any other rejection of the class.
        let response =
            response
            ?? RejectedResponse(
                provider: address.provider, status: 400, reason: nil, rejectionClass: refusal, retry: nil,
                tokenVerdict: nil)
        guard refusal == .tokenSuspect else { return response.advice }
        return "Check which host the sender uses: it should be that of \(address.environment). "
            + response.advice
    }
}
