import Foundation
import Testing

@testable import LandfallApp
@testable import LandfallCore

@Suite struct ConfigurationTests {
    private static let plist = [
        "LandfallURL": "https://push.example", "LandfallDeviceKey": "lf_device_a",
        "LandfallAppGroup": "group.shop",
    ]

    @Test("is read from Info.plist")
    func plist() throws {
        let configuration = try Configuration(plist: Self.plist)
        #expect(configuration.url.absoluteString == "https://push.example")
        #expect(configuration.key == "lf_device_a")
        #expect(configuration.appGroup == "group.shop")
        #expect(configuration.payloadKey == "landfall")
    }

    @Test(
        "names what is wrong, and the fix",
        arguments: [
            ("LandfallURL", nil, "Info.plist has no LandfallURL"),
            ("LandfallURL", "", "Info.plist has no LandfallURL"),
            // What an .xcconfig file leaves of https://push.example.
            ("LandfallURL", "https:", "https:/$()/host"),
            ("LandfallURL", "push.example", "LandfallURL is no URL"),
            ("LandfallURL", "$(LANDFALL_URL)", "LandfallURL is no URL"),
            ("LandfallDeviceKey", nil, "Info.plist has no LandfallDeviceKey"),
            ("LandfallDeviceKey", "secret", "landfall key create --kind device"),
            ("LandfallDeviceKey", "lf_server_a", "landfall key revoke"),
            ("LandfallDeviceKey", "lf_report_a", "landfall key revoke"),
            ("LandfallDeviceKey", "lf_hook_a", "landfall key revoke"),
        ] as [(String, String?, String)])
    func invalid(_ name: String, _ value: String?, _ advice: String) {
        var plist = Self.plist
        plist[name] = value
        #expect { try Configuration(plist: plist) } throws: { "\($0)".contains(advice) }
    }

    @Test("without it, events are kept, and the reason is logged")
    func surroundings() {
        let sentences = Locked<[String]>([])
        let surroundings = Surroundings(
            plist: ["LandfallAppGroup": "group.shop"],
            secrets: { SecretFiles(folder: URL(fileURLWithPath: $0 ?? "/")) },
            log: { sentence in sentences.use { $0.append(sentence) } })
        #expect(!surroundings.spool.isShared)
        #expect(
            sentences.use { $0 } == [
                "Info.plist has no LandfallURL: add it to the app and to its notification service extension. "
                    + "Until then, events are kept on the device",
                "the App Group group.shop is not among the entitlements of this program",
            ])
        #expect(surroundings.appRecorder().registrar == nil)
    }

    @Test(
        "the APNs environment is that of the entitlement",
        arguments: [("development", "sandbox"), ("production", "production"), ("", "production")])
    func environment(_ entitlement: String, _ name: String) {
        let profile =
            Data([0x30, 0x82, 0xff, 0x00])
            + Data(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict><key>Name</key><string>Shop</string><key>Entitlements</key><dict>
                <key>aps-environment</key><string>\(entitlement)</string></dict></dict></plist>
                """.utf8) + Data([0x00, 0xff])
        #expect(APNsEnvironment.name(profile: profile) == name)
    }

    @Test(
        "the profile's place decides, not the system's name: an app for Mac Catalyst has it where Mac apps do",
        arguments: ["Contents/embedded.provisionprofile", "embedded.mobileprovision"])
    func place(_ path: String) throws {
        let bundle = try TemporaryFolder()
        #expect(APNsEnvironment.name(bundle: bundle.url) == "production")
        let profile = bundle.url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: profile.deletingLastPathComponent(), withIntermediateDirectories: true)
        let text =
            "<?xml version=\"1.0\"?><plist><dict><key>Entitlements</key><dict><key>aps-environment</key>"
        try Data((text + "<string>development</string></dict></dict></plist>").utf8).write(to: profile)
        #expect(APNsEnvironment.name(bundle: bundle.url) == "sandbox")
    }

    @Test("without a profile, or with one that cannot be read, it is production")
    func noProfile() {
        #expect(APNsEnvironment.name(profile: nil) == "production")
        #expect(APNsEnvironment.name(profile: Data("<?xml <plist></plist>".utf8)) == "production")
    }

    @Test(
        "a language has its script and no region",
        arguments: [("en-US", "en"), ("zh-Hant-TW", "zh-Hant"), ("de", "de"), ("pt_BR", "pt")])
    func language(_ preferred: String, _ language: String) {
        #expect(DeviceTraits.withoutRegion(preferred) == language)
    }

    @Test("what is asked before the start is done in order once there is a value, and then at once")
    func deferred() {
        let deferred = Deferred<Int>()
        let seen = Locked<[String]>([])
        for name in ["a", "b"] { deferred.use { value in seen.use { $0.append("\(name)\(value)") } } }
        #expect(deferred.set(1))
        #expect(!deferred.set(2))
        deferred.use { value in seen.use { $0.append("c\(value)") } }
        #expect(seen.use { $0 } == ["a1", "b1", "c1"])
    }
}
