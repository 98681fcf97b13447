internal import Basics
internal import Foundation

/// Generates token histories from seeds. A seed always gives the same history.
public struct TokenHistoryMaker: Sendable {
    /// The number of consecutive seeds whose histories share a clock.
    public static let seedsPerClock: UInt64 = 256

    public init() {}

    public func history(seed: UInt64) -> TokenHistory {
        let clock = TokenClock(number: seed / Self.seedsPerClock)
        if seed % 8 == 7 { return lateResponses(seed: seed, clock: clock) }
        var random = SeededRandom(seed: seed)
        let settings = Self.settings(&random)
        let phones = (0..<random.within(1...3)).map { _ in NotificationPlan.uuid(nil, &random) }
        let values = Self.values(&random)
        var plot = TokenPlot(clock: clock, phoneCount: phones.count, values: values, &random)
        var steps: [TokenHistory.Step] = []
        let length = random.within(3...TokenClock.tickCount)
        for tick in 0..<length where !random.chance(percent: 12) {
            steps.append(TokenHistory.Step(tick: tick, deed: plot.deed(at: tick, &random)))
        }
        return TokenHistory(
            seed: seed, clock: clock, settings: settings, phones: phones, values: values, pushes: plot.pushes,
            pastInstants: (0..<2).map { _ in Self.pastInstant(clock, &random) }, steps: steps)
    }

    private static func settings(_ random: inout SeededRandom) -> TokenSettings {
        let isTouchy = random.chance(percent: 60)
        return TokenSettings(
            staleAfterDays: random.pick(60, 10, 10), sweepAfterDays: random.pick(30, 5, 5),
            breakerMinimum: isTouchy ? random.pick(0, 1, 1, 2) : 20,
            breakerShare: isTouchy ? random.pick(0, 0.2, 0.5) : 0.2)
    }

    /// Few, so that phones pass them on and slots are reused.
    static func values(_ random: inout SeededRandom) -> [TokenValue] {
        let shop = "com.example.shop"
        let alerts = (0..<4).map { _ in
            TokenValue(text: random.hexDigits(64), provider: "apns", kind: "alert", topic: shop)
        }
        return alerts + [
            TokenValue(text: random.hexDigits(64), provider: "apns", kind: "voip", topic: "\(shop).voip"),
            TokenValue(
                text: random.hexDigits(160), provider: "apns", kind: "live_activity_update",
                topic: "\(shop).push-type.liveactivity"),
            TokenValue(text: "f:" + random.hexDigits(140), provider: "fcm", kind: "fcm", topic: shop),
            TokenValue(text: "d" + random.hexDigits(21), provider: "fcm", kind: "fid", topic: shop),
        ]
    }

    /// An instant near one of the clock's, often exactly that of a step.
    private static func pastInstant(_ clock: TokenClock, _ random: inout SeededRandom) -> Int64 {
        let instant = clock.instants[random.below(clock.instants.count)]
        return random.chance(percent: 50) ? instant : instant + Int64(random.below(7_200_000)) - 3_600_000
    }
}
