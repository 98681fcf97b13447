internal import Foundation
internal import Simulation

extension SimulatedTruth {
    /// The document that `--truth` writes.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
