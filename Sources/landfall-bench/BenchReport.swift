internal import Foundation

/// Everything that was measured, and the ratios that say how well the server does on any machine.
struct BenchReport: Sendable, Encodable {
    struct Ratio: Sendable, Encodable {
        /// The name of a figure.
        let of: String
        /// The name of another, or of two that are taken together.
        let to: String
        /// How people call the latter.
        let toWhat: String
        /// The median of the rounds.
        let value: Double

        private enum CodingKeys: String, CodingKey {
            case of, to, value
        }
    }

    let machine: Machine
    let settings: BenchSettings
    let figures: [Figure]
    let ratios: [Ratio]
    /// In bytes; nil where the system does not tell.
    let serverPeakMemory: Int?

    init(_ machine: Machine, _ settings: BenchSettings, _ rounds: Rounds, serverPeakMemory: Int?) {
        self.machine = machine
        self.settings = settings
        self.serverPeakMemory = serverPeakMemory
        figures = rounds.figures
        ratios = rounds.ratios
    }

    private enum CodingKeys: String, CodingKey {
        case machine, settings, figures, ratios
        case serverPeakMemory = "server_peak_memory_bytes"
    }

    /// The document that `--json` prints.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
