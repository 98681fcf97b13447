internal import SeededRandom

/// APNs' side: its responses to one order, and when the sender posts them.
extension Sender {
    mutating func answers(to order: Order) -> PlannedAnswers {
        let token = phone.tokens[order.token]
        if let answers = answersInTrouble(order) { return answers }
        if let mistake = mistakenAddress() { return refused(mistake.reason, order, mistake.scenario) }
        if token.isDead(at: order.sentAt) {
            return refusedAsDead(order, token, deadTokenScenario(token: order.token))
        }
        let standing = standings[order.token]
        if let revivedAt = token.revivedAt, order.sentAt >= revivedAt, !standing.repeatedOldRefusal {
            return refusedAsDead(order, token, .lateRefusal)
        }
        if phone.life == .refusedOnce, !standing.gaveMomentaryRefusal, order.sentAt >= settings.moment(0.3) {
            return refused(.badDeviceToken, order, .momentaryRefusal)
        }
        return answersForGoodToken(order)
    }

    private func mistakenAddress() -> (reason: ProviderReason, scenario: SimulatedScenario)? {
        switch phone.life {
        case .wrongEnvironment: (.badDeviceToken, .wrongEnvironmentBuild)
        case .malformedToken: (.badDeviceToken, .malformedToken)
        case .wrongTopic: (.deviceTokenNotForTopic, .wrongTopic)
        default: nil
        }
    }

    /// The responses that the fault of the window causes; `nil` if the fault does not affect the order.
    private mutating func answersInTrouble(_ order: Order) -> PlannedAnswers? {
        guard settings.fault.contains(order.sentAt), settings.scenario.isSound else { return nil }
        let isLatestBuild = phone.software(at: order.sentAt).build == .latest
        switch settings.scenario {
        case .developmentBuild where isLatestBuild: return refused(.badDeviceToken, order)
        case .wrongTopic where isLatestBuild: return refused(.deviceTokenNotForTopic, order)
        case .expiredCredentials: return refused(.expiredProviderToken, order, .expiredProviderToken)
        case .wrongHost: return refused(.badDeviceToken, order)
        case .oversizedPayload: return refused(.payloadTooLarge, order, .payloadTooLarge)
        case .providerOutage where random.chance(0.6):
            return random.chance(0.5) ? refused(.serviceUnavailable, order) : noAnswer(order)
        case .massRefusal where random.chance(0.9):
            var answered = refused(.unregistered, order)
            answered.answers[0].refusedAt = order.sentAt
            return answered
        default: return nil
        }
    }

    private func deadTokenScenario(token: Int) -> SimulatedScenario {
        phone.life == .rotates && token == 0 ? .oldTokenRefused : .uninstalledTokenRefused
    }

    private mutating func refusedAsDead(
        _ order: Order, _ token: PhoneToken, _ scenario: SimulatedScenario
    ) -> PlannedAnswers {
        let reason: ProviderReason = random.chance(0.1) ? .expiredToken : .unregistered
        var answered = refused(reason, order, scenario)
        answered.answers[0].refusedAt = token.deadFrom
        return answered
    }

    private mutating func refused(
        _ reason: ProviderReason, _ order: Order, _ scenario: SimulatedScenario? = nil
    ) -> PlannedAnswers {
        let answer = PlannedAnswer(reason: reason, postedAt: order.sentAt + postingDelay())
        return PlannedAnswers(
            answers: [answer], takenByProvider: false, scenarios: scenario.map { [$0] } ?? [])
    }

    /// Checks for mistakes of the sender first, then for APNs' own failures.
    private mutating func answersForGoodToken(_ order: Order) -> PlannedAnswers {
        let campaign = order.campaign
        if let expired = campaign.expiredCredentials, expired.contains(order.sentAt) {
            return refused(.expiredProviderToken, order, .expiredProviderToken)
        }
        if campaign.oversizedLanguage == phone.traits.language {
            return refused(.payloadTooLarge, order, .payloadTooLarge)
        }
        if random.chance(campaign.badCollapseShare) { return refused(.badCollapseID, order) }
        if random.chance(campaign.wrongKeyShare) { return refused(.badEnvironmentKey, order) }
        return answersOfTheDay(order)
    }

    private mutating func answersOfTheDay(_ order: Order) -> PlannedAnswers {
        switch random.below(1_000) {
        case 0..<8: noAnswer(order)
        case 8..<18:
            retried(.tooManyRequests, order, after: random.span(.minutes(1), .minutes(6)), chance: 0.8)
        case 18..<27: unavailable(order)
        case 27..<30: refused(.internalServerError, order)
        default: accepted(order)
        }
    }

    private mutating func accepted(_ order: Order) -> PlannedAnswers {
        let answer = PlannedAnswer(reason: .accepted, postedAt: order.sentAt + postingDelay())
        return PlannedAnswers(answers: [answer], takenByProvider: true, scenarios: addressScenarios(order))
    }

    private func addressScenarios(_ order: Order) -> [SimulatedScenario] {
        let isOld =
            order.token < phone.tokens.count - 1
            && phone.tokens[order.token].residency(at: order.sentAt) == nil
        switch phone.life {
        case .senderOnly: return [.senderOnlyToken]
        case .rotates where isOld: return [.oldTokenAccepted]
        case .reinstallsWithNewToken where isOld: return [.abandonedTokenAccepted]
        default: return []
        }
    }

    /// The connection broke before the response came; APNs may have taken the notification anyway.
    private mutating func noAnswer(_ order: Order) -> PlannedAnswers {
        var answered = refused(random.chance(0.5) ? .silence : .namedSilence, order, .noAnswer)
        answered.takenByProvider = random.chance(0.5)
        return answered
    }

    /// Retries after a quarter of an hour or more, as Apple asks after a 5xx.
    private mutating func unavailable(_ order: Order) -> PlannedAnswers {
        let reason: ProviderReason = random.chance(0.7) ? .serviceUnavailable : .shutdown
        var answered = retried(reason, order, after: random.span(.minutes(15), .minutes(20)), chance: 0.6)
        if !answered.takenByProvider { answered.takenByProvider = random.chance(0.3) }
        return answered
    }

    /// Adds, with the given chance, a second request under the same id, which is accepted.
    private mutating func retried(
        _ reason: ProviderReason, _ order: Order, after pause: Int64, chance: Double
    ) -> PlannedAnswers {
        var answered = refused(reason, order)
        guard random.chance(chance) else { return answered }
        let posted = answered.answers[0].postedAt + pause
        answered.answers.append(PlannedAnswer(reason: .accepted, postedAt: posted))
        answered.takenByProvider = true
        answered.scenarios = [
            reason.rejection == .throttled ? .throttledThenAccepted : .unavailableThenAccepted
        ]
        return answered
    }

    /// Senders post responses at once, in batches, or whenever a log shipper runs.
    private mutating func postingDelay() -> Int64 {
        switch random.below(100) {
        case 0..<88: random.span(120, .seconds(3))
        case 88..<97: random.span(.seconds(3), .minutes(1))
        default: random.span(.minutes(1), .minutes(9))
        }
    }
}
