internal import DeliveryModel

/// Everything that is posted in one stage.
struct StageTraffic {
    let bulk: [BulkRound]
    let singles: [ArraySlice<BenchNotification>]
    let overload: [PostedBody]

    init(
        _ settings: BenchSettings, to devices: [BenchDevice], now: Instant, _ random: inout SeededRandom
    ) {
        let targets = devices.parts(3).map { $0.prefix(settings.pushedDevices) }
        let rest = devices.parts(3).flatMap { $0.dropFirst(settings.pushedDevices) }.parts(2).map(Array.init)
        func rounds(to devices: ArraySlice<BenchDevice>) -> [BulkTraffic] {
            BenchNotification.many(settings.bulkNotifications, to: devices, now: now, &random)
                .parts(settings.rounds).map { BulkTraffic(Array($0), settings: settings) }
        }
        let (compared, concurrent, timed) = (
            rounds(to: targets[0]), rounds(to: targets[1]), rounds(to: targets[2])
        )
        let fates = [BenchNotification.Fate.accepted, .unregistered]
        let deaths = zip(rest, fates).map { devices, fate in
            BenchNotification.one(to: devices, fate: fate, now: now, &random)
                .parts(settings.rounds)
                .map { PostedBody.bulk($0.map(\.response), size: settings.eventsPerBulkRequest) }
        }
        bulk = compared.indices.map { number in
            BulkRound(
                compared: compared[number], concurrent: concurrent[number], timed: timed[number],
                accepted: deaths[0][number], dead: deaths[1][number])
        }
        singles = BenchNotification.many(settings.singleNotifications, to: targets[0], now: now, &random)
            .parts(settings.rounds)
        let flood = BenchNotification.many(
            settings.overloadNotifications, to: targets[0], now: now, &random)
        overload = PostedBody.bulk(flood.map(\.response), size: settings.eventsPerOverloadRequest)
    }
}
