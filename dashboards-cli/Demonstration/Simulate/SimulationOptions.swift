internal import ArgumentParser
internal import Foundation
internal import Instants
internal import Reports
internal import Simulation
internal import Wording

/// The options of simulated traffic.
struct SimulationOptions: ParsableArguments {
    @Option(help: "The seed: the same seed, end and sizes generate the same traffic, byte for byte.")
    var seed: UInt64 = 1

    @Option(help: "The number of simulated installations.")
    var installations = 2_000

    @Option(help: "The number of campaigns, in addition to transactional notifications, which have none.")
    var campaigns = 6

    @Option(
        help: ArgumentHelp(
            "The scenario: \(TrafficScenario.allCases.map(\.rawValue).joined(separator: ", ")). All but the first two and the last three have a fault in the last hours. In the last three, devices post themselves.",
            valueName: "name"),
        transform: TrafficScenario.read)
    var scenario = TrafficScenario.ordinary

    @Option(
        help: ArgumentHelp(
            "A receipt key that the sender signs with; a second one from the middle of the window on. Default: the variable LANDFALL_RECEIPT_KEYS, separated by a space.",
            valueName: "key"))
    var receiptKey: [String] = []

    @Option(help: "The number of hours in which notifications are sent.")
    var hours = 24

    @Option(
        help: ArgumentHelp(
            "When the first notification is sent: 2026-03-01 (UTC) or 2026-03-01T09:30:00+01:00. Default: --hours before the end.",
            valueName: "instant"),
        transform: SimulatedWindow.read)
    var start: Instant?

    @Option(
        help: ArgumentHelp(
            "When sending ends, in the same formats. Default: now, rounded down to a quarter hour; with --start, --hours later.",
            valueName: "instant"),
        transform: SimulatedWindow.read)
    var end: Instant?

    func validate() throws {
        guard (1...1_000_000).contains(installations) else {
            throw ValidationError("--installations must be between 1 and 1000000.")
        }
        guard (0...10_000).contains(campaigns) else {
            throw ValidationError("--campaigns must be between 0 and 10000.")
        }
        guard (1...2_400).contains(hours) else { throw ValidationError("--hours must be 1 to 2400.") }
        guard start == nil || end == nil else {
            throw ValidationError("Specify --start or --end: the other one follows from --hours.")
        }
        let keys = receiptKeys
        guard keys.count <= 2, keys.allSatisfy({ $0.hasPrefix("lf_receipt_") }) else {
            throw ValidationError("--receipt-key is one or two receipt keys (lf_receipt_…).")
        }
        guard scenario != .receiptRotation || keys.count == 2 else {
            throw ValidationError(
                "The scenario receipt-rotation requires two receipt keys: landfall key create --kind receipt creates one."
            )
        }
        guard window(now: .now).end <= .now else {
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

    private var receiptKeys: [String] {
        guard receiptKey.isEmpty else { return receiptKey }
        let variable = ProcessInfo.processInfo.environment["LANDFALL_RECEIPT_KEYS"] ?? ""
        return variable.split(separator: " ").map(String.init)
    }

    func settings(now: Instant) -> SimulationSettings {
        var settings = SimulationSettings(window(now: now), now: now)
        settings.seed = seed
        settings.installations = installations
        settings.campaigns = campaigns
        settings.scenario = scenario
        settings.receiptKeys = receiptKeys
        return settings
    }

    private func window(now: Instant) -> SimulatedWindow {
        let end = end ?? start.map { $0 + .hours(Int64(hours)) } ?? SimulatedWindow.latestEnd(now)
        return SimulatedWindow(endingAt: end, hours: hours)
    }
}

extension SimulationSettings {
    /// Settings with no event after `now`. Device clocks are left out, because traffic that is posted later than its own instants
    /// looks like wrong clocks.
    init(_ window: SimulatedWindow, now: Instant) {
        let passed = (now - window.end).milliseconds / Span.hours(1).milliseconds
        self.init(
            start: window.start.millisecondsSinceEpoch, hours: window.hours,
            lateEventHours: min(max(Int(passed), 0), SimulatedWindow.mostLateHours), reportsDeviceClock: false
        )
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
