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

    init(
        _ machine: Machine, _ settings: BenchSettings, server: ServerMeasurement.Figures,
        writer: WriterMeasurement.Figures, statements: StatementMeasurement.Figures, serverPeakMemory: Int?
    ) {
        self.machine = machine
        self.settings = settings
        self.serverPeakMemory = serverPeakMemory
        figures = [
            server.noOp, server.singleResponses, server.singleArrivals,
            server.bulkResponses, server.bulkArrivals, server.bulkRepeated,
            writer.reading, writer.responses, writer.arrivals, writer.repeated,
            statements.responses, statements.arrivals, statements.repeated,
        ]
        let firstRun = Figure(
            "http_bulk_responses+http_bulk_arrivals", "",
            count: server.bulkResponses.count + server.bulkArrivals.count,
            seconds: server.bulkResponses.seconds + server.bulkArrivals.seconds)
        ratios = [
            Ratio(server.singleResponses, to: server.noOp, "no-op"),
            Ratio(server.singleArrivals, to: server.noOp, "no-op"),
            Ratio(server.bulkResponses, to: statements.responses, "SQL"),
            Ratio(server.bulkArrivals, to: statements.arrivals, "SQL"),
            Ratio(server.bulkRepeated, to: firstRun, "first run"),
            Ratio(writer.responses, to: statements.responses, "SQL"),
            Ratio(writer.arrivals, to: statements.arrivals, "SQL"),
            Ratio(writer.repeated, to: statements.repeated, "SQL"),
        ]
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

extension BenchReport.Ratio {
    fileprivate init(_ figure: Figure, to other: Figure, _ what: String) {
        self.init(of: figure.name, to: other.name, toWhat: what, value: figure.perSecond / other.perSecond)
    }
}
