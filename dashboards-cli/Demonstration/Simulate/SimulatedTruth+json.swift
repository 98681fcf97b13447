internal import Foundation
internal import Simulation

extension SimulatedTruth {
    /// The document of `--truth`.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
