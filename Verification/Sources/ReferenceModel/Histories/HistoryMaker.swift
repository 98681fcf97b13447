public import DeliveryModel
internal import Foundation

/// Generates histories from seeds.
public struct HistoryMaker: Sendable {
    /// The current time for validators.
    public let now: Instant
    let hasSkewedClocks: Bool

    /// - Parameters:
    ///   - now: pushes were sent in the UTC day before it.
    ///   - hasSkewedClocks: whether devices report what their clocks show; the correction is exact only if
    ///     the validator uses `now` too.
    public init(now: Instant, hasSkewedClocks: Bool) {
        self.now = now
        self.hasSkewedClocks = hasSkewedClocks
    }

    public func history(seed: UInt64) -> History {
        var random = SeededRandom(seed: seed)
        let appCount = random.pick(1, 1, 2)
        let devices = (0..<3).map { _ in
            HistoryDevice(deviceID: NotificationPlan.uuid(nil, &random), token: random.hexDigits(64))
        }
        let isSequential = random.chance(percent: 50)
        let registersMeanwhile = random.chance(percent: 50)
        let items = items(appCount, devices, &random)
        var steps = requests(items, &random)
        if !isSequential { steps += steps.filter { _ in random.chance(percent: 25) } }
        addRegistrations(to: &steps, appCount, isSequential: isSequential, &random)
        addFold(to: &steps, &random)
        return History(
            seed: seed, now: now, appCount: appCount, isSequential: isSequential,
            registersMeanwhile: registersMeanwhile, devices: devices, steps: steps)
    }

    private struct PlannedItem {
        let maker: ItemMaker
        let item: HistoryItem
    }

    private func items(
        _ appCount: Int, _ devices: [HistoryDevice], _ random: inout SeededRandom
    ) -> [PlannedItem] {
        let day: Int64 = 86_400_000
        let midnight = (now.millisecondsSinceEpoch / day - 1) * day
        var plans = (0..<random.within(1...8)).map { _ in
            NotificationPlan(
                app: random.below(appCount), midnight: midnight, deviceCount: devices.count, &random)
        }
        plans = plans.flatMap { plan in
            guard random.chance(percent: 25) else { return [plan] }
            let recipients = devices.indices.shuffled(using: &random).prefix(random.within(1...3))
            return recipients.map { plan.ofMessage(to: $0, &random) }
        }
        if appCount > 1 { plans += plans.prefix(random.below(3)).map(\.inOtherApp) }
        let makers = plans.map { plan in
            ItemMaker(
                plan: plan, devices: devices, now: now.millisecondsSinceEpoch,
                hasSkewedClocks: hasSkewedClocks)
        }
        var items: [PlannedItem] = []
        for _ in 0..<random.within(1...random.pick(8, 20, 60)) {
            if random.chance(percent: 20), let known = items.randomElement(using: &random) {
                items.append(repeated(known, &random))
            } else {
                let maker = makers[random.below(makers.count)]
                items.append(PlannedItem(maker: maker, item: maker.item(&random)))
            }
        }
        let first = items.filter { $0.item.event?.response != nil && $0.maker.plan.responsePlace == .first }
        let last = items.filter { $0.item.event?.response != nil && $0.maker.plan.responsePlace == .last }
        let others = items.filter { planned in
            planned.item.event?.response == nil
                || ![.first, .last].contains(planned.maker.plan.responsePlace)
        }
        return first + others + last
    }

    /// The same item, sometimes in another spelling.
    private func repeated(_ known: PlannedItem, _ random: inout SeededRandom) -> PlannedItem {
        guard let event = known.item.event, random.chance(percent: 50) else { return known }
        return PlannedItem(maker: known.maker, item: known.maker.item(meaning: event, &random))
    }

    /// Splits the items anywhere; an app's items keep their order.
    private func requests(
        _ items: [PlannedItem], _ random: inout SeededRandom
    ) -> [History.Step] {
        let longest = random.pick(1, 3, 10, 60)
        var steps: [History.Step] = []
        var rest = items[...]
        while let app = rest.first?.maker.plan.app {
            let count = random.within(1...longest)
            let chunk = rest.prefix(while: { $0.maker.plan.app == app }).prefix(count)
            rest = rest.dropFirst(chunk.count)
            steps.append(.post(request(Array(chunk), app: app, &random)))
        }
        return steps
    }

    private func request(
        _ chunk: [PlannedItem], app: Int, _ random: inout SeededRandom
    ) -> HistoryRequest {
        var items = chunk.map(\.item)
        let isByDevice = items.allSatisfy(\.isForDevices) && random.chance(percent: 60)
        if isByDevice, random.chance(percent: 15), let maker = chunk.first?.maker {
            items.insert(maker.forbidden(&random), at: random.within(0...items.count))
        }
        return HistoryRequest(
            app: app, isByDevice: isByDevice, layout: random.pick(.array, .lines), items: items)
    }

    /// Registers some devices before the first push and, in sequential histories, some in between.
    private func addRegistrations(
        to steps: inout [History.Step], _ appCount: Int, isSequential: Bool, _ random: inout SeededRandom
    ) {
        guard random.chance(percent: 40) else { return }
        for _ in 0..<random.within(1...2) {
            let traits = DeviceTraits(
                platform: "ios", appVersion: random.pick("7.0", "7.1"), osVersion: "18.1",
                language: random.pick("de", "en"), permission: random.pick("authorized", "denied"))
            let step = History.Step.register(
                HistoryRegistration(app: random.below(appCount), device: random.below(3), traits: traits))
            steps.insert(step, at: isSequential ? random.within(0...steps.count) : 0)
        }
    }

    /// Adds a fold to one history in eight: before, within or after the day in which pushes were sent.
    private func addFold(to steps: inout [History.Step], _ random: inout SeededRandom) {
        guard random.below(8) == 0 else { return }
        let quarters = random.below(3 * 24 * 4)
        let before = (now - .days(2) + .minutes(15 * Int64(quarters))).startOfQuarter
        steps.insert(.fold(before: before), at: random.within(0...steps.count))
    }
}
