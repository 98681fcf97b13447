internal import Basics

/// APNs' side: its responses to one order, and when the sender posts them.
extension Sender {
    mutating func responses(to order: Order) -> PlannedResponses {
        let token = phone.tokens[order.token]
        if let responses = respondsInTrouble(order) { return responses }
        if let mistake = mistakenAddress() { return rejected(mistake.reason, order, mistake.scenario) }
        if token.isDead(at: order.sentAt) {
            return rejectedAsDead(order, token, deadTokenScenario(token: order.token))
        }
        let standing = standings[order.token]
        if let revivedAt = token.revivedAt, order.sentAt >= revivedAt, !standing.repeatedOldRejection {
            return rejectedAsDead(order, token, .lateRejection)
        }
        if phone.life == .rejectedOnce, !standing.gaveMomentaryRejection, order.sentAt >= settings.moment(0.3)
        {
            return rejected(.badDeviceToken, order, .momentaryRejection)
        }
        return responsesForGoodToken(order)
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
    private mutating func respondsInTrouble(_ order: Order) -> PlannedResponses? {
        guard settings.fault.contains(order.sentAt), settings.scenario.isSound else { return nil }
        let isLatestBuild = phone.software(at: order.sentAt).build == .latest
        switch settings.scenario {
        case .developmentBuild where isLatestBuild: return rejected(.badDeviceToken, order)
        case .wrongTopic where isLatestBuild: return rejected(.deviceTokenNotForTopic, order)
        case .expiredCredentials: return rejected(.expiredProviderToken, order, .expiredProviderToken)
        case .wrongHost: return rejected(.badDeviceToken, order)
        case .oversizedPayload: return rejected(.payloadTooLarge, order, .payloadTooLarge)
        case .providerOutage where random.chance(0.6):
            return random.chance(0.5) ? rejected(.serviceUnavailable, order) : noResponse(order)
        case .massRejection where random.chance(0.9):
            var responded = rejected(.unregistered, order)
            responded.responses[0].rejectedAt = order.sentAt
            return responded
        default: return nil
        }
    }

    private func deadTokenScenario(token: Int) -> SimulatedScenario {
        phone.life == .rotates && token == 0 ? .oldTokenRejected : .uninstalledTokenRejected
    }

    private mutating func rejectedAsDead(
        _ order: Order, _ token: PhoneToken, _ scenario: SimulatedScenario
    ) -> PlannedResponses {
        let reason: ProviderReason = random.chance(0.1) ? .expiredToken : .unregistered
        var responded = rejected(reason, order, scenario)
        responded.responses[0].rejectedAt = token.deadFrom
        return responded
    }

    private mutating func rejected(
        _ reason: ProviderReason, _ order: Order, _ scenario: SimulatedScenario? = nil
    ) -> PlannedResponses {
        let response = PlannedResponse(reason: reason, postedAt: order.sentAt + postingDelay())
        return PlannedResponses(
            responses: [response], takenByProvider: false, scenarios: scenario.map { [$0] } ?? [])
    }

    /// Checks for mistakes of the sender first, then for APNs' own failures.
    private mutating func responsesForGoodToken(_ order: Order) -> PlannedResponses {
        let campaign = order.campaign
        if let expired = campaign.expiredCredentials, expired.contains(order.sentAt) {
            return rejected(.expiredProviderToken, order, .expiredProviderToken)
        }
        if campaign.oversizedLanguage == phone.traits.language {
            return rejected(.payloadTooLarge, order, .payloadTooLarge)
        }
        if random.chance(campaign.badCollapseShare) { return rejected(.badCollapseID, order) }
        if random.chance(campaign.wrongKeyShare) { return rejected(.badEnvironmentKey, order) }
        return responsesOfTheDay(order)
    }

    private mutating func responsesOfTheDay(_ order: Order) -> PlannedResponses {
        switch random.below(1_000) {
        case 0..<8: noResponse(order)
        case 8..<18:
            retried(.tooManyRequests, order, after: random.span(.minutes(1), .minutes(6)), chance: 0.8)
        case 18..<27: unavailable(order)
        case 27..<30: rejected(.internalServerError, order)
        default: accepted(order)
        }
    }

    private mutating func accepted(_ order: Order) -> PlannedResponses {
        let response = PlannedResponse(reason: .accepted, postedAt: order.sentAt + postingDelay())
        return PlannedResponses(
            responses: [response], takenByProvider: true, scenarios: addressScenarios(order))
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
    private mutating func noResponse(_ order: Order) -> PlannedResponses {
        var responded = rejected(random.chance(0.5) ? .silence : .namedSilence, order, .noResponse)
        responded.takenByProvider = random.chance(0.5)
        return responded
    }

    /// Retries after a quarter of an hour or more, as Apple asks after a 5xx.
    private mutating func unavailable(_ order: Order) -> PlannedResponses {
        let reason: ProviderReason = random.chance(0.7) ? .serviceUnavailable : .shutdown
        var responded = retried(reason, order, after: random.span(.minutes(15), .minutes(20)), chance: 0.6)
        if !responded.takenByProvider { responded.takenByProvider = random.chance(0.3) }
        return responded
    }

    /// Adds, with the given chance, a second request under the same id, which is accepted.
    private mutating func retried(
        _ reason: ProviderReason, _ order: Order, after pause: Int64, chance: Double
    ) -> PlannedResponses {
        var responded = rejected(reason, order)
        guard random.chance(chance) else { return responded }
        let posted = responded.responses[0].postedAt + pause
        responded.responses.append(PlannedResponse(reason: .accepted, postedAt: posted))
        responded.takenByProvider = true
        responded.scenarios = [
            reason.rejection == .throttled ? .throttledThenAccepted : .unavailableThenAccepted
        ]
        return responded
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
