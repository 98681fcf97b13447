internal import Foundation

/// Everything that was measured, and what it was to be.
struct BenchReport: Sendable, Encodable {
    let machine: Machine
    let settings: BenchSettings
    let goals: [GoalReport]
    let stages: [StageReport]

    init(_ machine: Machine, _ settings: BenchSettings, _ stages: [StageReport]) {
        self.machine = machine
        self.settings = settings
        self.stages = stages
        goals = Goal.all.map { GoalReport($0, stages) }
    }

    /// The document that `--json` prints.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// What one stage brought.
struct StageReport: Sendable, Encodable {
    let stage: Stage
    /// The version of the database.
    let postgres: String
    /// How long it took to register the devices, to load the rows, and to copy the database.
    let preparationSeconds: Double
    let figures: [Figure]
    let ratios: [Ratio]
    let overload: [OverloadFigures]
    let statementCosts: [StatementCost]

    init(_ stage: Stage, postgres: String, preparationSeconds: Double, _ rounds: Rounds) {
        self.stage = stage
        self.postgres = postgres
        self.preparationSeconds = preparationSeconds
        figures = rounds.figures
        ratios = rounds.ratios
        overload = rounds.overload
        statementCosts = rounds.bulk.map(\.costs).costs
    }

    func figure(_ name: String) -> Figure? { figures.first { $0.name == name } }

    func ratio(of name: String, to other: String) -> Double? {
        ratios.first { $0.of == name && $0.to == other }?.value
    }

    /// The most memory the server held in any phase, in bytes.
    var serverPeakMemory: Int? {
        (figures.map(\.serverPeakMemory) + overload.map(\.serverPeakMemory)).compactMap(\.self).max()
    }
}

/// What the tables hold when a measurement begins.
struct Stage: Sendable, Encodable {
    /// For people.
    let name: String
    /// In `delivery`.
    let rows: Int

    static func all(_ settings: BenchSettings) -> [Stage] {
        let cold = Stage(name: "cold", rows: 0)
        guard settings.rows > 0 else { return [cold] }
        return [cold, Stage(name: "\(grouped(settings.rows)) rows", rows: settings.rows)]
    }
}
