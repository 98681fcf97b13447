internal import ArgumentParser
internal import DeliveryModel
internal import Reports
internal import Simulation

/// Which traffic is made up.
struct SimulationOptions: ParsableArguments {
    @Option(help: "Chooses the world: the same seed, start and sizes make the same traffic, byte for byte.")
    var seed: UInt64 = 1

    @Option(help: "Phones the senders aim at.")
    var installations = 2_000

    @Option(help: "Campaigns besides the transactional notifications, which belong to none.")
    var campaigns = 6

    @Option(
        help: ArgumentHelp(
            "What goes on: \(TrafficScenario.allCases.map(\.rawValue).joined(separator: ", ")). All but the first two have a fault in the last hours.",
            valueName: "name"),
        transform: TrafficScenario.read)
    var scenario = TrafficScenario.ordinary

    @Option(help: "How long notifications are sent.")
    var hours = 24

    @Option(
        help: ArgumentHelp(
            """
            When the first one is: 2026-03-01 (UTC) or 2026-03-01T09:30:00+01:00. Default: the latest UTC \
            midnight from which everything lies in the past, also the events that come two days late.
            """,
            valueName: "instant"),
        transform: SimulationStart.read)
    var start: Instant?

    func validate() throws {
        guard (1...1_000_000).contains(installations) else {
            throw ValidationError("--installations can be 1 to 1000000.")
        }
        guard (0...10_000).contains(campaigns) else {
            throw ValidationError("--campaigns can be 0 to 10000.")
        }
        guard (1...2_400).contains(hours) else { throw ValidationError("--hours can be 1 to 2400.") }
        if let start, !SimulationStart.isTakenByServers(start, hours: hours, now: .now) {
            throw ValidationError(
                "No server takes notifications that are sent more than 24 hours from now: begin earlier."
            )
        }
    }

    /// `landfall doctor --as-of …` as of the end of the window; nil for the usual mixture, which is no case for it.
    func doctorCommand(before windowEnd: Int64, app: String?, now: Instant) -> String? {
        guard scenario != .ordinary else { return nil }
        let end = Instant(millisecondsSinceEpoch: windowEnd)
        let asOf = end > now ? [] : ["--as-of", end.rfc3339.replacing(".000Z", with: "Z")]
        let words = ["landfall", "doctor"] + (app.map { ["--app", $0] } ?? []) + asOf
        return words.map(shellWord).joined(separator: " ")
    }

    func settings(now: Instant) -> SimulationSettings {
        var settings = SimulationSettings(
            backfilledFrom: start ?? SimulationStart.latest(hours: hours, before: now), hours: hours)
        settings.seed = seed
        settings.installations = installations
        settings.campaigns = campaigns
        settings.scenario = scenario
        return settings
    }
}

extension SimulationSettings {
    /// Device clocks are left out: traffic that is posted days later than it claims to be looks like wrong
    /// clocks.
    init(backfilledFrom start: Instant, hours: Int) {
        self.init(
            start: start.millisecondsSinceEpoch, hours: hours, lateEventHours: SimulationStart.lateEventHours,
            reportsDeviceClock: false)
    }
}

extension TrafficScenario {
    static func read(_ text: String) throws -> TrafficScenario {
        guard let scenario = TrafficScenario(rawValue: text) else {
            let closest = closestName(to: text, among: allCases.map(\.rawValue))
            throw ValidationError(
                closest.map { "There is no scenario \(text). Did you mean \($0)?" }
                    ?? "There is no scenario \(text).")
        }
        return scenario
    }
}

/// Where a window of made-up traffic can begin.
enum SimulationStart {
    /// Hours after the window in which late events are still posted.
    static let lateEventHours = 48

    /// The latest UTC midnight from which nothing lies ahead of `now`, the latest of the late events
    /// included: a click that is to happen tomorrow would look odd, and midnight lets hours and days be whole
    /// ones.
    static func latest(hours: Int, before now: Instant) -> Instant {
        let earliest = now - .hours(Int64(hours + lateEventHours))
        let day = Span.days(1).milliseconds
        return Instant(millisecondsSinceEpoch: earliest.millisecondsSinceEpoch / day * day)
    }

    /// Servers refuse what would be sent more than 24 hours from now.
    static func isTakenByServers(_ start: Instant, hours: Int, now: Instant) -> Bool {
        start + .hours(Int64(hours)) <= now + .hours(24)
    }

    /// A date is the midnight in UTC with which it begins.
    static func read(_ text: String) throws -> Instant {
        guard let instant = Instant(rfc3339: text) ?? Instant(rfc3339: "\(text)T00:00:00Z") else {
            throw ValidationError("It can be a date (2026-03-01) or an instant (2026-03-01T09:30:00+01:00).")
        }
        return instant
    }
}
