internal import Basics
internal import Foundation

/// The subjects of a history's steps while they are generated.
struct TokenPlot {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    let clock: TokenClock
    let phoneCount: Int
    let values: [TokenValue]
    private(set) var pushes: [TokenPush] = []
    /// Items that were posted and may be posted again.
    private var posted: [TokenItem] = []
    private var registrations: [PhoneRegistration] = []
    /// Some senders and apps never name topics, and some never report versions.
    private let topicPercent: Int
    private let tellsVersion: Bool
    private let sandboxPercent: Int

    init(clock: TokenClock, phoneCount: Int, values: [TokenValue], _ random: inout SeededRandom) {
        self.clock = clock
        self.phoneCount = phoneCount
        self.values = values
        topicPercent = random.pick(100, 100, 100, 75)
        tellsVersion = random.chance(percent: 60)
        sandboxPercent = random.pick(0, 15, 40)
    }

    mutating func deed(at tick: Int, _ random: inout SeededRandom) -> TokenDeed {
        let now = clock.instants[tick]
        let number = random.below(100)
        if registrations.isEmpty ? number < 75 : number < 27 { return .register(registration(now, &random)) }
        switch number {
        case ..<66: return .post(items(now, &random))
        case ..<80: return .sweep(maxShare: random.pick(0.1, 0.5, 1, 1, 1))
        case ..<86: return .decide(isRelease: random.chance(percent: 50), scope(&random))
        case ..<94:
            let rule = random.pick(
                "unregistered", "unregistered", "bad_token", "confirmed", "breaker", "stale", "swept")
            let since = clock.instants[random.below(tick + 1)] + (random.chance(percent: 20) ? 1 : 0)
            return .restore(rule: rule, since: since, scope(&random))
        case ..<98: return .logOut(phone: random.below(phoneCount))
        default: return .erase(phone: random.below(phoneCount))
        }
    }

    private func scope(_ random: inout SeededRandom) -> TokenScope {
        TokenScope(
            environment: random.pick(nil, nil, nil, "production", "sandbox"),
            topic: random.pick(nil, nil, nil, "", values[random.below(values.count)].topic))
    }

    private func token(_ random: inout SeededRandom) -> TokenName {
        let value = random.chance(percent: 70) ? random.below(4) : random.below(values.count)
        let isSandbox = values[value].provider == "apns" && random.chance(percent: sandboxPercent)
        return TokenName(value: value, environment: isSandbox ? "sandbox" : "production")
    }
}

// MARK: - Registrations

extension TokenPlot {
    private mutating func registration(_ now: Int64, _ random: inout SeededRandom) -> PhoneRegistration {
        // The same registration again: a sender that back-fills repeats items whose outcome is unknown.
        if random.chance(percent: 10), let known = registrations.randomElement(using: &random) {
            return known
        }
        var entries: [PhoneRegistration.Entry] = []
        for _ in 0..<random.pick(0, 1, 1, 1, 2, 3) {
            let token = token(&random)
            // Most apps list one value of a kind, some several that are all in use.
            let isTaken = entries.contains { entry in
                values[entry.token.value].kind == values[token.value].kind
                    && entry.token.environment == token.environment
            }
            guard !isTaken || random.chance(percent: 30), !entries.contains(where: { $0.token == token })
            else {
                continue
            }
            let isBrief = values[token.value].kind == "live_activity_update"
            entries.append(
                PhoneRegistration.Entry(
                    token: token, saysTopic: random.chance(percent: topicPercent),
                    expiresAt: isBrief ? random.pick(nil, now + Self.hour, now + 12 * Self.hour, now) : nil))
        }
        let registration = PhoneRegistration(
            phone: random.below(phoneCount), entries: entries, registeredAt: registeredAt(now, &random),
            appVersion: tellsVersion ? random.pick(nil, "7.0", "7.0", "7.0", "7.1") : nil,
            permission: random.pick(nil, nil, "authorized", "authorized", "denied", "provisional"),
            account: random.pick(nil, nil, nil, "anna", "bert", ""))
        registrations.append(registration)
        return registration
    }

    private func registeredAt(_ now: Int64, _ random: inout SeededRandom) -> Int64 {
        guard random.chance(percent: 25) else { return now }
        if random.chance(percent: 25), let known = registrations.randomElement(using: &random) {
            return known.registeredAt
        }
        let ago = random.pick(Self.minute, 2 * Self.hour, Self.day, 5 * Self.day, 40 * Self.day)
        return now - ago - Int64(random.below(1_000))
    }
}

// MARK: - Posts

extension TokenPlot {
    private mutating func items(_ now: Int64, _ random: inout SeededRandom) -> [TokenItem] {
        if random.chance(percent: 20) { return slip(now, &random) }
        var items: [TokenItem] = []
        for _ in 0..<random.within(1...4) {
            let number = random.below(100)
            if number < 15, let known = posted.randomElement(using: &random) {
                items.append(known)
            } else if number < 35, let sighting = sighting(now, &random) {
                items.append(sighting)
            } else if number < 42, !pushes.isEmpty {
                // A retry under the same id, or two senders of one push.
                items.append(response(to: random.below(pushes.count), meaning(&random), &random))
            } else {
                let push = send(to: token(&random), now, &random)
                // A push without a response may still be seen.
                guard !random.chance(percent: 10) else { continue }
                items.append(response(to: push, meaning(&random), &random))
                if random.chance(percent: 10) { items.append(items[items.count - 1]) }
            }
        }
        posted += items
        return items
    }

    /// The same response about all tokens of an environment: a provider's or sender's error, or many users
    /// left.
    private mutating func slip(_ now: Int64, _ random: inout SeededRandom) -> [TokenItem] {
        let meaning = random.pick(
            TokenWords.Meaning.dead, .dead, .suspicious, .suspicious, .accepted)
        let environment = random.chance(percent: sandboxPercent) ? "sandbox" : "production"
        let items = (0..<random.within(3...values.count)).map { value in
            let name = TokenName(
                value: value, environment: values[value].provider == "fcm" ? "production" : environment)
            let push = send(to: name, now, &random)
            return response(to: push, meaning, &random)
        }
        posted += items
        return items
    }

    private func meaning(_ random: inout SeededRandom) -> TokenWords.Meaning {
        random.pick(
            .accepted, .accepted, .accepted, .dead, .dead, .suspicious, .suspicious, .suspicious, .nothing)
    }

    /// Sends a push some time ago, no two at the same instant. Returns its number.
    private mutating func send(to token: TokenName, _ now: Int64, _ random: inout SeededRandom) -> Int {
        let ago = random.pick(
            5_000, 5_000, 30 * Self.minute, 61 * Self.minute, 2 * Self.hour, 4 * Self.hour, 26 * Self.hour,
            3 * Self.day, 20 * Self.day)
        var sentAt = now - ago - Int64(random.below(1_000))
        while pushes.contains(where: { $0.sentAt == sentAt }) { sentAt -= 1 }
        pushes.append(
            TokenPush(notificationID: NotificationPlan.uuid(sentAt, &random), sentAt: sentAt, token: token))
        return pushes.count - 1
    }

    private func response(
        to number: Int, _ meaning: TokenWords.Meaning, _ random: inout SeededRandom
    ) -> TokenItem {
        let push = pushes[number]
        let provider = values[push.token.value].provider
        let all = TokenWords.all(of: provider, meaning)
        let words = all[random.below(all.count)]
        let died =
            push.sentAt
            - random.pick(-500, 0, Self.minute, Self.hour, 3 * Self.hour, 2 * Self.day, 30 * Self.day)
        let isTold = meaning == .dead && provider == "apns" && !random.chance(percent: 15)
        return .response(
            push: number, words, diedAt: isTold ? died : nil, saysTopic: random.chance(percent: topicPercent))
    }

    private func sighting(_ now: Int64, _ random: inout SeededRandom) -> TokenItem? {
        guard !pushes.isEmpty else { return nil }
        let number = random.below(pushes.count)
        let occurredAt: Int64? = random.pick(
            nil, nil, pushes[number].sentAt + 1_500, now - 2 * Self.hour, now - 2 * Self.day)
        return .sighting(
            push: number, kind: random.pick("arrival", "presentation", "click", "dismissal"),
            occurredAt: occurredAt, phone: random.chance(percent: 40) ? random.below(phoneCount) : nil)
    }
}
