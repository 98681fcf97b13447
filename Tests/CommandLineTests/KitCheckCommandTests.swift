import Basics
import ChildPrograms
import Foundation
import Testing

@Suite struct KitCheckCommandTests {
    @Test(
        "kit check prints findings with their fixes, as text and as JSON, and exits with 1 if there is a problem"
    )
    func check() throws {
        let folder = try ThrowawayFolder.create(for: "kit-check")
        defer { try? folder.remove() }
        let app = folder.url.appendingPathComponent("Shop.app")
        try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
        let plist = [
            "CFBundleIdentifier": "com.example.shop", "LandfallURL": "https:",
            "LandfallDeviceKey": "lf_device_a",
        ]
        try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
            .write(to: app.appendingPathComponent("Info.plist"))

        let program = LandfallProgram(folder: folder.url)
        let text = try program.run("kit", "check", "Shop.app")
        #expect(text.status == 1)
        #expect(text.output.contains("problem  there is no notification service extension"))
        #expect(text.output.contains("\n         in an .xcconfig file, write https:/$()/host"))
        let json = try program.run("kit", "check", "Shop.app", "--json")
        #expect(json.status == 1)
        let document =
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [[String: Any]]]
        #expect(document?["findings"]?.first?["level"] as? String == "ok")
    }

    @Test("what is no app is an error in one sentence")
    func errors() throws {
        let folder = try ThrowawayFolder.create(for: "kit-check")
        defer { try? folder.remove() }
        try Data("no archive".utf8).write(to: folder.url.appendingPathComponent("notes.ipa"))
        let program = LandfallProgram(folder: folder.url)
        let other = try program.run("kit", "check", "notes.ipa")
        #expect(other.status == 1)
        #expect(other.notes == "Error: this is neither an .ipa archive (ZIP) nor a folder with an .app\n")
        let missing = try program.run("kit", "check", "Shop.ipa")
        #expect(missing.notes.hasPrefix("Error: Shop.ipa cannot be read: it does not exist"))
    }
}
