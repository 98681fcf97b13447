import DeliveryModel
import Foundation
import Testing

/// All ids from outside go through one reader.
struct UUIDTextTests {
    private static let text = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"

    @Test("a UUID is read in either case")
    func valid() throws {
        let id = try #require(UUID(uuidString: Self.text))
        #expect(UUID(strict: Self.text) == id)
        #expect(UUID(strict: Self.text.uppercased()) == id)
        #expect(UUID(strict: "x\(Self.text)".dropFirst()) == id)
    }

    @Test(
        "any other spelling is not a UUID",
        arguments: [
            "", "6f9619ff8b864011b42d00cf4fc964ff", "{6f9619ff-8b86-4011-b42d-00cf4fc964ff}",
            "urn:uuid:6f9619ff-8b86-4011-b42d-00cf4fc964ff", "+f9619ff-8b86-4011-b42d-00cf4fc964ff",
            " f9619ff-8b86-4011-b42d-00cf4fc964ff", "-f9619ff-8b86-4011-b42d-00cf4fc964ff",
            "0x9619ff-8b86-4011-b42d-00cf4fc964ff", "6f9619ff-8b86-4011-b42d-00cf4fc964f",
            "6f9619ff-8b86-4011-b42d-00cf4fc964fff",
            "6f9619ff-8b86-4011-b42d-00cf4fc964fg", "6f9619ff-8b86-4011b-42d-00cf4fc964ff",
            "6f9619ff-8b86-4011-b42d-00cf4fc964\u{FF11}", "6f9619ff_8b86_4011_b42d_00cf4fc964ff",
        ])
    func invalid(text: String) {
        #expect(UUID(strict: text) == nil)
    }

    @Test("no source reads ids with Foundation's reader, which accepts signs and blanks")
    func oneReader() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        var read = 0
        for folder in ["Sources", "dashboards-cli"] {
            let files = FileManager.default.enumerator(
                at: package.appendingPathComponent(folder), includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files) where file.pathExtension == "swift" {
                // The reference reads ids with logic of its own.
                guard !file.path.contains("/ReferenceModel/") else { continue }
                read += 1
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(!text.contains("uuidString:"), "\(file.lastPathComponent)")
            }
        }
        #expect(read > 300)
    }
}
