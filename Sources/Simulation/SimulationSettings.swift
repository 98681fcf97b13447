/// The input of a simulation. The same settings always produce the same traffic, byte for byte.
public struct SimulationSettings: Sendable {
    /// Determines the traffic. Device ids and tokens also depend on `start`, so that the traffic of two days
    /// never shares a token by accident.
    public var seed: UInt64

    /// The instant the window begins, in Unix milliseconds. Nothing is registered or sent before it.
    public var start: Int64

    /// Length of the window in which devices register and notifications are sent, in hours.
    public var hours: Int

    /// Phones that the senders push to. Reinstalls add some installations; a few phones are never registered.
    public var installations: Int

    /// Campaigns in addition to the transactional notifications, which belong to no campaign. With six or
    /// more, every kind of campaign occurs: variants, custom actions, forgotten `mutable-content`,
    /// background, version 4 ids, large payloads.
    public var campaigns: Int

    /// Hours after the window in which late events still reach the server. Later ones are never
    /// posted, and the truth does not count them.
    public var lateEventHours: Int

    /// Device events carry `reported_at`, and some devices have a wrong clock. Switch it off if the traffic
    /// is posted much later than its own instants: a server that corrects clocks would correct this delay.
    public var reportsDeviceClock: Bool

    /// The kind of traffic. In all scenarios except `ordinary`, three campaigns a day replace `campaigns`.
    public var scenario: TrafficScenario

    public init(
        seed: UInt64 = 1, start: Int64, hours: Int = 24, installations: Int = 2_000, campaigns: Int = 6,
        lateEventHours: Int = 48, reportsDeviceClock: Bool = true, scenario: TrafficScenario = .ordinary
    ) {
        self.seed = seed
        self.start = start
        self.hours = hours
        self.installations = installations
        self.campaigns = campaigns
        self.lateEventHours = lateEventHours
        self.reportsDeviceClock = reportsDeviceClock
        self.scenario = scenario
    }
}

extension SimulationSettings {
    /// The instants in which devices register and notifications are sent.
    var window: Range<Int64> { start..<(start + .hours(Int64(max(hours, 1)))) }

    /// The last instant at which anything is posted.
    var horizon: Int64 { window.upperBound + .hours(Int64(max(lateEventHours, 0))) }

    /// The instant at this share of the window, from 0 to 1.
    func moment(_ share: Double) -> Int64 {
        start + Int64(share * Double(window.upperBound - window.lowerBound))
    }
}

extension Int64 {
    /// The quarter of an hour within which a caller that posts the traffic may reorder it freely.
    static let slice: Int64 = .minutes(15)

    static func seconds(_ count: Int64) -> Int64 { count * 1_000 }
    static func minutes(_ count: Int64) -> Int64 { count * 60_000 }
    static func hours(_ count: Int64) -> Int64 { count * 3_600_000 }

    /// The start of the span of this length, counted from 1970, that contains the instant.
    func start(of length: Int64) -> Int64 {
        let remainder = self % length
        return self - (remainder < 0 ? remainder + length : remainder)
    }
}
