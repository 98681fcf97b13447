/// Everything that was measured: first the ratios, then every stage by itself.
struct BenchReport: PrintedReport, Sendable {
    let machine: Machine
    let settings: BenchSettings
    let stages: [StageReport]

    /// The server's peak memory in any phase, in MiB.
    private static let mostMemory = (must: 256, aim: 128)

    var lines: [String] {
        [machine.text, ""] + goals.lines + stages.flatMap { ["", ""] + $0.lines } + [""] + remarks
    }

    /// The goals, and the ratios of all stages.
    private var goals: TextTable {
        let ratios = (stages.first?.ratios ?? []).enumerated().map { position, ratio in
            let measured = stages.map { Self.text($0.ratios[position]) }
            return [ratio.what, Self.goal(ratio.must), Self.goal(ratio.aim)] + measured
        }
        let memory =
            ["peak memory of the server", "≤ \(Self.mostMemory.must) MiB", "≤ \(Self.mostMemory.aim) MiB"]
            + stages.map { Self.memory($0.serverPeakMemory) }
        return TextTable(["", "must", "aim"] + stages.map(\.name), ratios + [memory])
    }

    private static func goal(_ least: Double?) -> String { least.map { "≥ \(decimal($0, 2))" } ?? "–" }

    /// `0.63 met`.
    private static func text(_ ratio: Ratio) -> String {
        guard let value = ratio.value else { return "–" }
        guard let must = ratio.must else { return decimal(value, 2) }
        return "\(decimal(value, 2)) \(value >= must ? "met" : "missed")"
    }

    private static func memory(_ bytes: Int?) -> String {
        guard let bytes else { return "–" }
        return "\(mebibytes(bytes)) MiB \(bytes <= mostMemory.must << 20 ? "met" : "missed")"
    }

    private var remarks: [String] {
        [
            "SQL is what the writer sends, with ready parameters, on one connection or on \(settings.writers). Reading "
                + "and writer run alone.",
            "\(settings.singleConnections) connections post single events, \(settings.bulkConnections) post bulk.",
            "Rounds: \(settings.rounds). Rates and ratios are their medians, p99 is the worst one's. See docs/development.md.",
        ]
    }
}
