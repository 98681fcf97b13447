import Foundation

@testable import LandfallCore

/// A folder that is removed with the value.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "landfall-kit-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}

extension Spool {
    @discardableResult
    func write(_ event: Data, identity: String, at time: Int64) throws -> Written {
        try write(Event(file: File(identity: identity, at: time), bytes: event))
    }

    /// The number of dropped events that were not reported yet: the bytes of all files that count them.
    var droppedCount: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix("dropped") }
            .compactMap { try? Data(contentsOf: folder.appendingPathComponent($0)).count }.reduce(0, +)
    }
}
