internal import Basics
internal import Foundation

extension TokenHistoryMaker {
    /// Registrations, and long after them the responses to the pushes of a day, in some order.
    ///
    /// Decision 5: rules depend on when pushes were sent, so the order in which responses are posted changes
    /// nothing.
    func lateResponses(seed: UInt64, clock: TokenClock) -> TokenHistory {
        var random = SeededRandom(seed: seed)
        let values = Self.values(&random)
        let phones = [NotificationPlan.uuid(nil, &random)]
        let first = clock.instants[0]
        let day: Int64 = 86_400_000
        let ticks = clock.instants.indices.filter { clock.instants[$0] >= first + 2 * day }.prefix(3)
        let registered = [0, 4, 6].filter { _ in random.chance(percent: 70) }
        let registration = PhoneRegistration(
            phone: 0,
            entries: registered.map { value in
                let token = TokenName(value: value, environment: "production")
                return PhoneRegistration.Entry(token: token, saysTopic: true, expiresAt: nil)
            },
            registeredAt: first, appVersion: nil, permission: nil, account: nil)

        var pushes: [TokenPush] = []
        var items: [TokenItem] = []
        for number in 0..<random.within(2...14) {
            // Some were sent before the registration, and several within the same hour.
            let sentAt =
                first + Int64(random.below(48) - 6) * 1_800_000 + Int64(random.below(1_000)) * 1_000
                + Int64(number)
            let token = TokenName(value: random.pick(0, 0, 1, 4, 6), environment: "production")
            pushes.append(
                TokenPush(
                    notificationID: NotificationPlan.uuid(sentAt, &random), sentAt: sentAt, token: token))
            let provider = values[token.value].provider
            let all = TokenWords.all(
                of: provider, random.pick(.accepted, .accepted, .suspicious, .suspicious, .suspicious, .dead))
            let words = all[random.below(all.count)]
            let isDated = words.meaning == .dead && provider == "apns"
            items.append(
                .response(
                    push: number, words, diedAt: isDated ? sentAt - Int64(random.below(4)) * 3_600_000 : nil,
                    saysTopic: true))
        }
        let posts = Self.posts(items, ticks: Array(ticks), &random)
        return TokenHistory(
            seed: seed, clock: clock,
            settings: TokenSettings(
                staleAfterDays: 60, sweepAfterDays: 30, breakerMinimum: 100, breakerShare: 0.2),
            phones: phones, values: values, pushes: pushes, pastInstants: [first + day],
            steps: [TokenHistory.Step(tick: 0, deed: .register(registration))] + posts)
    }

    /// The items in some order, split anywhere, some of them twice.
    fileprivate static func posts(
        _ items: [TokenItem], ticks: [Int], _ random: inout SeededRandom
    ) -> [TokenHistory.Step] {
        var shuffled = items.shuffled(using: &random)
        shuffled += shuffled.filter { _ in random.chance(percent: 20) }
        return ticks.enumerated().compactMap { position, tick in
            let isLast = position == ticks.count - 1
            let count = isLast ? shuffled.count : random.below(shuffled.count + 1)
            let posted = Array(shuffled.prefix(count))
            shuffled.removeFirst(count)
            return posted.isEmpty ? nil : TokenHistory.Step(tick: tick, deed: .post(posted))
        }
    }

    /// Compares the reference's results for responses posted late in two orders. Returns the difference;
    /// `nil` if there is none.
    public func differenceOfOrders(seed: UInt64) -> String? {
        let history = lateResponses(seed: seed, clock: TokenClock(number: seed / Self.seedsPerClock))
        var random = SeededRandom(seed: ~seed)
        var other = history
        let posted = history.steps.dropFirst()
        let items = posted.flatMap { step -> [TokenItem] in
            guard case .post(let items) = step.deed else { return [] }
            return items
        }
        other.steps = [history.steps[0]] + Self.posts(items, ticks: posted.map(\.tick), &random)
        let states = [history, other].map { history in
            TokenReference(history, order: [:]).tokens.mapValues(\.state)
        }
        guard states[0] != states[1] else { return nil }
        return "\(history)\n\(states[0])\nbut\n\(other)\n\(states[1])"
    }
}
