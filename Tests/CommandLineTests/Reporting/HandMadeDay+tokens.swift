import DeliveryModel

@testable import Dashboards
@testable import Reports
@testable import TokenLifecycle

/// Zombies and false deaths of the same shop.
extension HandMadeDay {
    static let zombies: ZombieReport = {
        func zombie(_ number: Int64, twin: String?) -> ZombieReport.Zombie {
            .init(
                deviceID: "0c5f2a6e-8a71-4b1e-9d3a-00000000000\(number)", model: "iPhone15,2",
                pushes: 40 - number, firstPushAt: now - .days(28), lastPushAt: now - .hours(number),
                heardAt: now - .days(50 + number), twinDeviceID: twin)
        }
        return ZombieReport(
            app: app, rules: ZombieRules(), asOf: now,
            builds: [
                .init(
                    platform: "ios", appVersion: "7.1.0", judged: 1_204, reporting: 1_022, isReporting: true,
                    zombies: 61, duplicates: 23,
                    listed: [
                        zombie(1, twin: "7d1c0a44-52d0-4a0f-8a5b-000000000009"), zombie(2, twin: nil),
                    ]),
                .init(
                    platform: "ios", appVersion: "7.2.0", judged: 618, reporting: 590, isReporting: true,
                    zombies: 4, duplicates: 0, listed: [zombie(3, twin: nil)]),
                .init(
                    platform: "android", appVersion: "5.0", judged: 240, reporting: 0, isReporting: false,
                    zombies: 0, duplicates: 0, listed: []),
            ], audience: 2_417)
    }()

    static let deaths = FalseDeathsReport(
        app: app, window: (now - .days(90))..<now, asOf: now,
        deaths: FalseDeaths(rows: [
            .init(
                rule: "unregistered", retired: 1_310, revived: 9, accepted: 4, registered: 21, cameBack: 24),
            .init(rule: "swept", retired: 402, revived: 61, accepted: 0, registered: 13, cameBack: 66),
            .init(rule: "bad_token", retired: 12, revived: 0, accepted: 0, registered: 0, cameBack: 0),
        ]))
}
