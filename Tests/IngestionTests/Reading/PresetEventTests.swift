import DeliveryModel
import Foundation
import Testing

@testable import Ingestion

/// The events that presets make of what senders post.
struct PresetEventTests {
    private static let goldens = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
            "PresetsTests/goldens")

    /// Goldens in which the sender's own items pass as they are, with their mistakes.
    private static let ofSenders = ["onesignal/huge-numbers", "lines/events", "lines/csv"]

    @Test("every event in the goldens of the presets is valid, with all its fields")
    func valid() throws {
        let validator = EventValidator(
            appID: 1, poster: .server, now: Instant(millisecondsSinceEpoch: 1_795_798_800_000))
        var count = 0
        for folder in try FileManager.default.contentsOfDirectory(atPath: Self.goldens.path) {
            let path = Self.goldens.appendingPathComponent(folder)
            for name in try FileManager.default.contentsOfDirectory(atPath: path.path)
            where name.hasSuffix(".expected") {
                let golden = "\(folder)/\(name.dropLast(".expected".count))"
                guard !Self.ofSenders.contains(golden) else { continue }
                let text = try String(contentsOf: path.appendingPathComponent(name), encoding: .utf8)
                for line in text.split(separator: "\n") {
                    guard let item = line.firstMatch(of: /^[0-9]* ?(\{"type":.*)$/)?.1 else { continue }
                    count += 1
                    switch validator.decode(Array(item.utf8)[...]) {
                    case .success(let event):
                        #expect(event.warnings.isDisjoint(with: [.unreadField]), "\(golden): \(item)")
                    case .failure(let rejection): Issue.record("\(golden): \(rejection)\n\(item)")
                    }
                }
            }
        }
        #expect(count > 100)
    }
}
