internal import DeliveryModel
internal import Reports

/// Addresses where most pushes are rejected, but were not in the week before: the sender uses the
/// wrong host, a template grew too long, or a header is wrong.
enum RejectedAddresses {
    /// Credentials, topics and environments have findings of their own, from lower shares on.
    static let classes: [RejectionClass] = [.tokenSuspect, .payloadError, .requestError, .unknown]

    /// - Parameter refusals: what is already reported. Builds whose own tokens are bad are excluded here.
    static func findings(
        _ facts: RejectedBuilds.Facts, besides rejections: [Rejection], _ examination: Examination
    ) -> [Finding] {
        let blamed = rejections.filter { $0.rejection == .tokenSuspect }
        func isBlamed(_ fact: RejectedBuilds.Fact) -> Bool {
            blamed.contains { $0.address == fact.address && $0.build == fact.build }
        }
        let addresses = Dictionary(grouping: facts.lately.filter { !isBlamed($0) }, by: \.address)
        return addresses.sorted { $0.key < $1.key }.compactMap { address, pushes in
            let before = facts.before.filter { $0.address == address && !isBlamed($0) }.rejected(classes)
            let rules = examination.rules
            let hours = BadHours.latest(
                of: pushes.byHour(classes), enough: rules.rejectionAttempts,
                isBad: { $0.value ?? 0 >= rules.mostlyRejectedShare },
                isSure: { isNew($0.judged, before, rules) })
            guard let hours else { return nil }
            return finding(address, pushes.within(hours.hours), hours, before, facts, examination)
        }
    }

    /// Whether most pushes are rejected, and clearly more than in the week before.
    private static func isNew(_ rejected: Proportion, _ before: Proportion, _ rules: DoctorRules) -> Bool {
        guard rejected.denominator >= rules.rejectionAttempts, let share = rejected.value else {
            return false
        }
        guard before.denominator >= rules.rejectionAttempts, let shareBefore = before.value else {
            return rejected.surelyAtLeast(rules.sureness) >= rules.mostlyRejectedShare
        }
        return share >= shareBefore * rules.mostlyRejectedRatio
            && rejected.standardErrors(above: before) >= rules.sureness
    }

    private static func finding(
        _ address: RejectedBuilds.Address, _ pushes: [RejectedBuilds.Fact], _ hours: BadHours,
        _ before: Proportion, _ facts: RejectedBuilds.Facts, _ examination: Examination
    ) -> Finding {
        let (rejected, looked) = (hours.bad, examination.looked)
        let course = hours.course(
            enough: examination.rules.rejectionAttempts, until: looked.upperBound,
            isWell: RejectedBuilds.isWell(hours.after, before, examination.rules))
        let counts = classes.map { (name: $0, count: pushes.rejected([$0]).numerator) }
        let most = counts.max { $0.count < $1.count }?.name ?? .unknown
        let response = facts.response(to: pushes, [most])
        let words = response.map { ", mostly \($0.spoken)" } ?? ""
        let usual = before.value.map { _ in " In the week before, \(before.percentWords) were." } ?? ""
        return Finding(
            .rejected, course == .isOver ? .warning : .problem,
            "\(rejected.ofWords) pushes (\(rejected.percentWords)) were rejected (\(address.name)) "
                + "\(hours.words(within: looked))\(words).\(usual) \(course.sentence(hours.after, "were rejected"))",
            meaning(most), remedy(most, response, address),
            command: examination.command(
                "rejections",
                options: ["--by", most == .tokenSuspect ? "app_version" : "campaign"] + address.options),
            evidence: address.json
                + [
                    .init("class", .string(most.rawValue)), .init("answer", .optional(response?.spoken)),
                ] + hours.evidence(course, within: looked)
                + [.init("rejected", rejected.json), .init("before", before.json)]
                + counts.map { .init($0.name.rawValue, .integer($0.count)) })
    }

    private static func meaning(_ rejection: RejectionClass) -> String {
        switch rejection {
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
        _ rejection: RejectionClass, _ response: RejectedResponse?, _ address: RejectedBuilds.Address
    ) -> String {
        // Without one response that dominates, the advice is that for any other rejection of the class.
        let response =
            response
            ?? RejectedResponse(
                provider: address.provider, status: 400, reason: nil, rejectionClass: rejection, retry: nil,
                tokenVerdict: nil)
        guard rejection == .tokenSuspect else { return response.advice }
        return "Check which host the sender uses: it should be that of \(address.environment). "
            + response.advice
    }
}
