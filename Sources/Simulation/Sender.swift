internal import Basics
internal import Foundation

/// The sender's side of one phone: which notifications go to which token, and APNs' responses.
///
/// A sender pauses pushes to a token around its registrations, and leaves a quarter of an hour between two
/// notifications to it. So the ledger of tokens does not depend on the order in which a slice is posted.
struct Sender {
    let settings: SimulationSettings
    let schedule: CampaignSchedule
    let phone: Phone
    var random: SeededRandom
    private(set) var standings: [TokenStanding]

    /// The sender's and APNs' memory of one token.
    struct TokenStanding {
        /// The sender usually removes a rejected token from its list.
        var isDropped = false
        var gaveMomentaryRejection = false
        var repeatedOldRejection = false
        var occupied: [ClosedRange<Int64>] = []
    }

    struct Order {
        let sentAt: Int64
        let campaign: CampaignPlan
        let token: Int
    }

    init(settings: SimulationSettings, schedule: CampaignSchedule, phone: Phone, random: SeededRandom) {
        self.settings = settings
        self.schedule = schedule
        self.phone = phone
        self.random = random
        self.standings = phone.tokens.map { _ in TokenStanding() }
    }

    /// Everything sent to the phone, in the order of sending.
    mutating func notifications() -> [PlannedNotification] {
        var sent: [PlannedNotification] = []
        for order in orders() {
            if let notification = notification(for: order) { sent.append(notification) }
        }
        if let foreign = foreignNotification() { sent.append(foreign) }
        return sent.sorted { $0.sentAt < $1.sentAt }
    }

    private mutating func orders() -> [Order] {
        var orders: [Order] = []
        for campaign in schedule.campaigns {
            for token in phone.tokens.indices where random.chance(0.98) {
                orders.append(
                    Order(sentAt: random.instant(in: campaign.sends), campaign: campaign, token: token))
            }
        }
        for _ in 0..<transactionalCount() {
            let sentAt = random.instant(in: schedule.transactional.sends)
            let token = phone.tokens.count - 1
            orders.append(Order(sentAt: sentAt, campaign: schedule.transactional, token: token))
        }
        return orders.filter { !settings.has(.silentSender, at: $0.sentAt) }.sorted { $0.sentAt < $1.sentAt }
    }

    private mutating func transactionalCount() -> Int {
        guard !settings.scenario.isSound else {
            var count = 0
            for _ in 0..<max(settings.hours / 24, 1) where random.chance(0.9) { count += 1 }
            return count
        }
        return random.chance(0.3) ? 1 + random.below(2) : 0
    }

    /// The notification for an order; `nil` if the token is not on the list, or if pushes to it are paused.
    private mutating func notification(for order: Order) -> PlannedNotification? {
        guard isOnList(order) else { return nil }
        let responded = responses(to: order)
        guard let posted = responded.postedBetween, isUndisturbed(posted, token: order.token) else {
            return nil
        }
        remember(responded, for: order, posted: posted)
        let campaign = order.campaign
        let id: UUID =
            campaign.usesVersionFourIDs
            ? .versionFour(&random) : .versionSeven(at: order.sentAt, &random)
        let variant =
            campaign.variants.isEmpty
            ? nil : campaign.variants[random.below(campaign.variants.count)]
        return PlannedNotification(
            id: id, sentAt: order.sentAt, campaign: campaign, variant: variant, token: order.token,
            responses: responded.responses, takenByProvider: responded.takenByProvider,
            scenarios: responded.scenarios + scenarios(of: campaign))
    }

    private func scenarios(of campaign: CampaignPlan) -> [SimulatedScenario] {
        var scenarios: [SimulatedScenario] = []
        if campaign.pushType == "background" { scenarios.append(.backgroundPush) }
        if !campaign.mutableContent { scenarios.append(.forgottenMutableContent) }
        if campaign.usesVersionFourIDs { scenarios.append(.versionFourID) }
        return scenarios
    }

    private var foreignChance: Double {
        guard settings.scenario.isSound else { return 0.03 }
        return settings.scenario == .foreignSender ? 0.8 : 0
    }

    /// A notification of another sender, which does not post its provider's responses.
    private mutating func foreignNotification() -> PlannedNotification? {
        guard phone.life.isEverRegistered, random.chance(foreignChance) else { return nil }
        let sentAt = random.instant(in: schedule.foreign.sends)
        guard let token = phone.tokens.firstIndex(where: { $0.residency(at: sentAt) != nil }) else {
            return nil
        }
        return PlannedNotification(
            id: .versionSeven(at: sentAt, &random), sentAt: sentAt, campaign: schedule.foreign, variant: nil,
            token: token, responses: [], takenByProvider: true, scenarios: [])
    }
}

// MARK: - The sender's list

extension Sender {
    private func isOnList(_ order: Order) -> Bool {
        let token = phone.tokens[order.token]
        let isBack = token.revivedAt.map { $0 <= order.sentAt } ?? false
        return token.onSendersList.contains(order.sentAt) && (isBack || !standings[order.token].isDropped)
    }

    private func isUndisturbed(_ posted: ClosedRange<Int64>, token: Int) -> Bool {
        let wide = (posted.lowerBound - .slice)...(posted.upperBound + .slice)
        return phone.registrations.allSatisfy { !wide.contains($0.at) }
            && standings[token].occupied.allSatisfy { !wide.overlaps($0) }
    }

    private mutating func remember(
        _ responded: PlannedResponses, for order: Order, posted: ClosedRange<Int64>
    ) {
        standings[order.token].occupied.append(posted)
        if responded.scenarios.contains(.lateRejection) { standings[order.token].repeatedOldRejection = true }
        if responded.scenarios.contains(.momentaryRejection) {
            standings[order.token].gaveMomentaryRejection = true
        }
        guard let response = responded.responses.last else { return }
        standings[order.token].isDropped = dropsToken(after: response, at: order.sentAt)
    }

    private mutating func dropsToken(after response: PlannedResponse, at sentAt: Int64) -> Bool {
        switch response.reason.rejection {
        case .wrongTopic: true
        case .tokenDead: random.chance(0.75)
        case .tokenSuspect where phone.life == .malformedToken: random.chance(0.3)
        default: false
        }
    }
}
