internal import Foundation

/// Everything that was measured, and the goals.
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
