internal import ArgumentParser
internal import Basics
internal import Reports
internal import Simulation

struct SimulationOptions: ParsableArguments {
    @Option(help: "The seed: the same seed, end and sizes generate the same traffic, byte for byte.")
    var seed: UInt64 = 1

    @Option(help: "The number of simulated installations.") var installations = 2_000

    @Option(help: "The number of campaigns, in addition to transactional notifications, which have none.")
    var campaigns = 6

    @Option(
        help: .value(
            "The scenario: \(TrafficScenario.allCases.map(\.rawValue).joined(separator: ", ")). All but the first two have a fault in the last hours.",
            "name"), transform: TrafficScenario.read)
    var scenario = TrafficScenario.ordinary

    @Option(help: "The number of hours in which notifications are sent.") var hours = 24

    @Option(
        help: .value(
            "When the first notification is sent: 2026-03-01 (UTC) or 2026-03-01T09:30:00+01:00. Default: --hours before the end.",
            "instant"), transform: SimulationOptions.instant)
    var start: Instant?

    @Option(
        help: .value(
            "When sending ends, in the same formats. Default: now, rounded down to a quarter hour; with --start, --hours later.",
            "instant"), transform: SimulationOptions.instant)
    var end: Instant?

    func validate() throws {
        try checkRange("--installations", installations, in: 1...1_000_000)
        try checkRange("--campaigns", campaigns, in: 0...10_000)
        guard (1...2_400).contains(hours) else { throw ValidationError("--hours must be 1 to 2400.") }
        guard start == nil || end == nil else {
            throw ValidationError("Specify --start or --end: the other one follows from --hours.")
        }
        guard windowEnd(now: .now) <= .now else {
            throw ValidationError(
                "Sending would end in the future: choose an earlier --start or --end, or fewer --hours.")
        }
    }

    /// `landfall doctor`, as of the end of the window if that has passed; `nil` for the usual
    /// mixture, which is not meant for the doctor.
    func doctorCommand(before windowEnd: Int64, app: String?, now: Instant) -> String? {
        guard scenario != .ordinary else { return nil }
        let end = Instant(millisecondsSinceEpoch: windowEnd)
        let asOf = end >= now.startOfQuarter ? [] : ["--as-of", end.rfc3339.replacing(".000Z", with: "Z")]
        let words = ["landfall", "doctor"] + (app.map { ["--app", $0] } ?? []) + asOf
        return words.map(shellWord).joined(separator: " ")
    }

    func settings(now: Instant) -> SimulationSettings {
        var settings = SimulationSettings(endingAt: windowEnd(now: now), hours: hours, now: now)
        settings.seed = seed
        settings.installations = installations
        settings.campaigns = campaigns
        settings.scenario = scenario
        return settings
    }

    private func windowEnd(now: Instant) -> Instant {
        end ?? start.map { $0 + .hours(Int64(hours)) } ?? now.startOfQuarter
    }

    /// Reads an instant, or a date as the midnight in UTC at which it begins.
    static func instant(_ text: String) throws -> Instant {
        guard let instant = Instant(rfc3339: text) ?? Instant(rfc3339: "\(text)T00:00:00Z") else {
            throw ValidationError("Use a date (2026-03-01) or an instant (2026-03-01T09:30:00+01:00).")
        }
        return instant
    }
}

extension SimulationSettings {
    /// Hours after the end in which late events still come, if these hours have passed.
    private static let mostLateHours = 48

    /// Settings with no event after `now`. Device clocks are left out, because traffic that is posted later
    /// than its own instants looks like wrong clocks.
    ///
    /// - Parameter end: the end of the window. By default, commands choose the end of the last complete
    ///   quarter hour, the shortest time that counters distinguish; so today's figures are complete.
    init(endingAt end: Instant, hours: Int, now: Instant) {
        let passed = (now - end).milliseconds / Span.hours(1).milliseconds
        self.init(
            start: (end - .hours(Int64(hours))).millisecondsSinceEpoch, hours: hours,
            lateEventHours: min(max(Int(passed), 0), Self.mostLateHours), reportsDeviceClock: false)
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
