public import DeliveryModel
public import PostgresClient

/// Installations whose tokens are accepted again and again without any device event, although
/// others with the same build report arrivals: they inflate the audience.
public struct ZombieReport: Hashable, Sendable {
    public struct Zombie: Hashable, Decodable, Sendable {
        public let deviceID: String
        /// Empty if unknown.
        public let model: String
        /// Pushes within the window, all accepted, none seen.
        public let pushes: Int64
        public let firstPushAt: Instant
        public let lastPushAt: Instant
        /// Its last sign of life.
        public let heardAt: Instant
        /// Another installation of the same account and model that reports: a reinstallation left this one.
        public let twinDeviceID: String?
    }

    /// Installations with the same platform and version of the app.
    public struct Build: Hashable, Decodable, Sendable {
        public let platform: String
        public let appVersion: String
        /// The installations with enough pushes to be judged.
        public let judged: Int64
        /// The judged installations that reported something.
        public let reporting: Int64
        /// Whether enough of them report; if not, no installation of this build is called a zombie.
        public let isReporting: Bool
        public let zombies: Int64
        /// The zombies for which another installation of the same account and model reports.
        public let duplicates: Int64
        /// The zombies with the most pushes.
        public fileprivate(set) var listed: [Zombie] = []

        private enum CodingKeys: CodingKey {
            case platform, appVersion, judged, reporting, isReporting, zombies, duplicates
        }

        public var share: Proportion { Proportion(reporting, of: judged) }
    }

    public let app: App
    public let rules: ZombieRules
    public let asOf: Instant
    /// The most zombies first.
    public let builds: [Build]
    /// Installations that could be shown a notification, zombies included.
    public let audience: Int64

    public var zombies: Int64 { builds.reduce(0) { $0 + $1.zombies } }
    public var duplicates: Int64 { builds.reduce(0) { $0 + $1.duplicates } }
    /// The share of the audience that is not there.
    public var inflation: Proportion { Proportion(zombies, of: audience) }

    /// - Throws: ``ReportError/doesNotAddUp(report:place:rule:left:right:)`` if zombies are not a part of the
    ///   audience.
    func checkAddsUp() throws(ReportError) {
        let adding = AddingUp(report: "zombies")
        try adding.check(inflation, "inflation", place: "all builds")
        for build in builds {
            try adding.check(build.share, "reporting", place: "\(build.platform) \(build.appVersion)")
        }
    }

    /// Reads the notifications of the window in one snapshot. The work grows with their number.
    ///
    /// - Parameter limit: the maximum number of installations to list per build.
    /// - Throws: ``ReportError/daysDropped(of:keptFrom:most:)`` if some of the window's notifications were
    ///   dropped, because installations that received or reported these would be misjudged. `PostgresError`.
    public static func run(
        for app: App, _ rules: ZombieRules, limit: Int64, on connection: PostgresConnection, now: Instant
    ) throws -> ZombieReport {
        try connection.snapshot {
            let window = try ReportWindow(from: now - .days(rules.days), to: now)
            try KeptNotifications(of: app, window, heldOn: connection).check("zombies", daysBefore: now)
            let report = ZombieReport(
                app: app, rules: rules, asOf: now,
                builds: try readBuilds(app, rules, limit: limit, connection, now),
                audience: try Audience.count(of: app, on: connection, now: now))
            try report.checkAddsUp()
            return report
        }
    }

    private static func readBuilds(
        _ app: App, _ rules: ZombieRules, limit: Int64, _ connection: PostgresConnection, _ now: Instant
    ) throws(PostgresError) -> [Build] {
        let from = now - .days(rules.days)
        let reportable: DeliveryState = [.attempted, .accepted, .canReport]
        let rows = try connection.query(
            .Tokens.findZombies,
            [
                .value(app.appID), .value(from), .value(now), .array(TokenKind.alerting.map(\.rawValue)),
                .value(rules.pushes), .value(Span.days(rules.spreadDays).milliseconds),
                .value(rules.reportingShare),
                // A sign of life is written at most once a day.
                .value(from - TokenRules.writeInterval), .value(limit), .value(reportable.rawValue),
                .value(DeliveryState.seenOnDevice.rawValue), .value(DeliveryState.recalled.rawValue),
            ])
        var builds: [Build] = []
        for row in rows {
            let build: Build = try row.decode()
            if builds.last?.platform != build.platform || builds.last?.appVersion != build.appVersion {
                builds.append(build)
            }
            // It is null for a build without any.
            guard limit > 0, try !row.isNull("device_id") else { continue }
            builds[builds.count - 1].listed.append(try row.decode())
        }
        return builds
    }
}

/// The conditions under which an installation is a zombie: its tokens are accepted again and again,
/// and it never reports anything.
public struct ZombieRules: Hashable, Sendable {
    /// The number of days whose pushes are examined. The installation was silent for longer.
    public var days: Int64 = 30
    /// The minimum number of pushes, accepted and with `mutable-content`, none of which the device reported.
    public var pushes: Int64 = 10
    /// The minimum share (0 to 1) of installations of the same build with as many pushes that
    /// reported something; below it, the extension is silent instead.
    public var reportingShare = 0.5

    /// The minimum number of days between the first and the last of the pushes, as far as the
    /// window has room for it: a device that is off for a weekend is not a zombie.
    public var spreadDays: Int64 { min(7, days / 2) }

    public init() {}
}
