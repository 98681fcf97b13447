internal import DeliveryModel

/// Everything that is posted in one stage.
struct StageTraffic {
    let bulk: [BulkRound]
    let singles: [ArraySlice<BenchNotification>]
    let overload: [BenchNotification]

    /// Requests of an overload are made from so many; their ids change.
    private static let overloadNotifications = 20_000

    init(
        _ settings: BenchSettings, to devices: [BenchDevice], now: Instant, _ random: inout SeededRandom
    ) {
        let targets = devices.parts(3).map { $0.prefix(settings.pushedDevices) }
        func rounds(to devices: ArraySlice<BenchDevice>) -> [BulkTraffic] {
            BenchNotification.many(settings.bulkNotifications, to: devices, now: now, &random)
                .parts(settings.rounds).map { BulkTraffic(Array($0), settings: settings) }
        }
        let (compared, concurrent, timed) = (
            rounds(to: targets[0]), rounds(to: targets[1]), rounds(to: targets[2])
        )
        bulk = compared.indices.map { number in
            BulkRound(compared: compared[number], concurrent: concurrent[number], timed: timed[number])
        }
        singles = BenchNotification.many(settings.singleNotifications, to: targets[0], now: now, &random)
            .parts(settings.rounds)
        overload = BenchNotification.many(Self.overloadNotifications, to: targets[0], now: now, &random)
    }
}
