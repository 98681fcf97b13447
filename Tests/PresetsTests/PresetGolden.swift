import Basics
import Foundation
import Presets
import Testing

/// A file `NAME.json` of the folder `goldens/PRESET`, which is a body as a sender posts it, and
/// `NAME.expected`, what the preset makes of it. `LANDFALL_GOLDEN=write` rewrites the latter: read the
/// difference before committing it.
struct PresetGolden: Sendable, CustomTestStringConvertible {
    let folder: String
    let name: String

    var testDescription: String { "\(folder)/\(name)" }

    /// 2026-11-27 16:00:00 UTC
    static let now = Instant(millisecondsSinceEpoch: 1_795_795_200_000)

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("goldens")

    static func all(in folder: String) throws -> [PresetGolden] {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(folder).path)
        return files.filter { $0.hasSuffix(".json") }.sorted()
            .map { PresetGolden(folder: folder, name: String($0.dropLast(".json".count))) }
    }

    func posted() throws -> [UInt8] {
        Array(try Data(contentsOf: Self.root.appendingPathComponent("\(folder)/\(name).json")))
    }

    func lines() throws -> [[UInt8]] {
        try posted().split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    }

    func expect(_ lines: [String]) throws {
        let file = Self.root.appendingPathComponent("\(folder)/\(name).expected")
        let text = lines.map { $0 + "\n" }.joined()
        if ProcessInfo.processInfo.environment["LANDFALL_GOLDEN"] == "write" {
            try Data(text.utf8).write(to: file)
        }
        #expect(text == (try String(contentsOf: file, encoding: .utf8)))
    }
}

extension PresetReading {
    /// One line for each item, then what was skipped, the answer and the fault.
    var lines: [String] {
        items.map(\.line) + (skipped > 0 ? ["skipped \(skipped)"] : [])
            + ["answer \(String(decoding: answer.body, as: UTF8.self))"]
            + (fault.map { ["fault \($0.code): \($0.detail)"] } ?? [])
    }
}

extension PresetItem {
    /// Whether it contains a text or title that the pushes in the goldens show.
    var showsContent: Bool {
        ["Your parcel is here", "50 % off", "\"Sale\""].contains { line.contains($0) }
    }

    var line: String {
        switch self {
        case .event(let bytes): String(decoding: bytes, as: UTF8.self)
        case .unread(let code, let detail, let posted):
            "unread \(code): \(detail) | \(String(decoding: posted, as: UTF8.self))"
        }
    }
}
