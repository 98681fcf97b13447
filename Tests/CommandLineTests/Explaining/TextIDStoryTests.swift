import ChildPrograms
import DeliveryModel
import Foundation
import Ingestion
import Logging
import PostgresClient
import TestDatabase
import Testing
import Vault

@Suite("The story of a notification whose id is no UUID", .database) struct TextIDStoryTests {
    private let device = UUID()

    /// Records an arrival of a notification and one of a message.
    private func record() async throws {
        let database = TestDatabase.current
        let validator = EventValidator(appID: firstApp, poster: .server, now: .now)
        let texts = [
            #"{"type":"arrival","notification_id":"order-4711"}"#,
            #"{"type":"click","message_id":"news 7","device_id":"\#(device)"}"#,
        ]
        let items = texts.map { text in
            let bytes = Array(text.utf8)[...]
            return BatchItem(appID: firstApp, text: bytes, poster: .server, content: validator.decode(bytes))
        }
        let taxonomy = try await database.pool.withConnection { try RejectionTaxonomy(from: $0) }
        let verdicts = try await DeliveryWriter(
            pool: database.pool, vault: TokenVault(.random()), taxonomy: taxonomy,
            logger: Logger(label: "test")
        ).write(items)
        #expect(verdicts.allSatisfy { $0.outcome == .accepted })
    }

    @Test("is found by the text, of a message with the device; of any other text, the error names the id")
    func explained() async throws {
        let folder = try ThrowawayFolder.create(for: "text-ids")
        defer { try? folder.remove() }
        let program = LandfallProgram.onTestDatabase(in: folder.url)
        try TestDatabase.current.numberFromOne()
        #expect(try program.run("app", "create", "shop").status == 0)
        try await record()

        let explain = ["explain", "notification", "--app", "shop", "--json"]
        let id = try ChosenID("order-4711").uuid(inApp: firstApp).uuidString.lowercased()
        for text in ["order-4711", " order-4711\n"] {
            let story = try program.run(explain + [text])
            #expect(story.status == 0 && story.output.contains(id), "\(story.notes)")
        }
        let message = try ChosenID("news 7").uuid(inApp: firstApp)
        let story = try program.run(explain + ["news 7", "--device", device.uuidString])
        let derived = UUID.notification(ofMessage: message, toDevice: device).uuidString.lowercased()
        #expect(story.status == 0 && story.output.contains(derived), "\(story.notes)")

        let other = try program.run(explain + ["Order-4711"])
        let otherID = try ChosenID("Order-4711").uuid(inApp: firstApp).uuidString.lowercased()
        #expect(other.status == 1 && other.notes.contains("stands for \(otherID)"))
        #expect(!other.notes.contains("Order-4711"))
        #expect(try program.run(explain + ["null"]).status == 64)
    }
}
