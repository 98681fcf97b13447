import Foundation
import Testing

@testable import AppArchive

@Suite struct KitCheckTests {
    private let now = Date(timeIntervalSince1970: 1_772_000_000)

    private func findings(_ change: (inout AppBuilder) -> Void = { _ in }) throws -> [KitFinding] {
        var builder = AppBuilder()
        change(&builder)
        return try KitCheck.run(archive: try builder.archive(), now: now)
    }

    private func troubles(_ change: (inout AppBuilder) -> Void) throws -> [String] {
        try findings(change).filter { $0.level != .ok }.map { "\($0.level.rawValue): \($0.sentence)" }
    }

    @Test("an app with everything has nothing but good news", arguments: [false, true])
    func good(isFat: Bool) throws {
        let findings = try findings { $0.isFat = isFat }
        #expect(
            findings.map(\.sentence) == [
                "Shop.app is com.example.shop, for iOS 15.0 and later",
                "Service.appex is its notification service extension",
                "events go to push.example.com", "LandfallDeviceKey is a device key",
                "Shop.app and Service.appex share the App Group group.shop",
                "its tokens are those of production (aps-environment production)",
                "Shop.app has a provisioning profile of its own",
                "Service.appex has a provisioning profile of its own",
            ])
        #expect(findings.allSatisfy { $0.level == .ok && $0.fix == nil })
    }

    @Test("an extension of the watch app is not the app's")
    func watchApp() throws {
        let builder = AppBuilder()
        #expect(
            try findings {
                $0.others = [
                    "Watch/ShopWatch.app": ["CFBundleIdentifier": "com.example.shop.watch"],
                    "Watch/ShopWatch.app/PlugIns/Other.appex": builder.servicePlist ?? [:],
                ]
            }.allSatisfy { $0.level == .ok })
    }

    @Test("an .app is read as well as the folder that contains it")
    func folders() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, bytes) in try AppBuilder().files {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: file)
        }
        let expected = try findings()
        for path in ["", "Payload", "Payload/Shop.app", "Payload/Shop.app/"] {
            #expect(try KitCheck.run(folder.path + "/" + path, now: now) == expected, "\(path)")
        }
    }

    @Test(
        "what is wrong is named, with the fix",
        arguments: [
            of(
                { $0.servicePlist = nil },
                "problem: there is no notification service extension, so no arrival is reported"
            ),
            of(
                {
                    $0.servicePlist?["CFBundleIdentifier"] = "com.example.other"
                    $0.serviceProfile = AppBuilder.profile("TEAM.com.example.other")
                },
                "problem: the extension's bundle id com.example.other does not begin with com.example.shop."
            ),
            of(
                { $0.servicePlist?["MinimumOSVersion"] = "26.0" },
                "problem: the extension needs iOS 26.0, the app 15.0: on systems in between, the extension does not run"
            ),
            of(
                { $0.servicePlist?["LandfallURL"] = nil },
                "problem: LandfallURL is missing in the Info.plist of Service.appex"
            ),
            of(
                { $0.servicePlist?["LandfallDeviceKey"] = "lf_device_b" },
                "problem: LandfallDeviceKey differs between the app and the extension"
            ),
            of(
                {
                    $0.appPlist["LandfallURL"] = "https:"
                    $0.servicePlist?["LandfallURL"] = "https:"
                }, "problem: LandfallURL is no URL: https:"
            ),
            of(
                {
                    $0.appPlist["LandfallURL"] = "http://push.example.com"
                    $0.servicePlist?["LandfallURL"] = "http://push.example.com"
                },
                "warning: LandfallURL is not encrypted, and iOS blocks such connections: http://push.example.com"
            ),
            of(
                {
                    $0.appPlist["LandfallDeviceKey"] = "$(DEVICE_KEY)"
                    $0.servicePlist?["LandfallDeviceKey"] = "$(DEVICE_KEY)"
                }, "problem: LandfallDeviceKey is $(DEVICE_KEY): the build setting is not defined"
            ),
            of(
                {
                    $0.appPlist["LandfallDeviceKey"] = "lf_server_a"
                    $0.servicePlist?["LandfallDeviceKey"] = "lf_server_a"
                }, "problem: LandfallDeviceKey is a secret key, and anyone can read it in the app"
            ),
            of(
                { $0.serviceEntitlements = ["com.apple.security.application-groups": ["group.other"]] },
                "problem: Service.appex may not use the App Group group.shop, so the app cannot upload what its extension recorded"
            ),
            of(
                { $0.appEntitlements = ["com.apple.security.application-groups": ["group.shop"]] },
                "problem: the app may not receive pushes: it has no aps-environment"
            ),
            of(
                { $0.serviceProfile = nil },
                "problem: Service.appex has no provisioning profile, so it does not start on a device"
            ),
            of(
                { $0.serviceProfile = AppBuilder.profile("TEAM.com.example.shop") },
                "problem: the profile of Service.appex is for TEAM.com.example.shop"
            ),
            of(
                { $0.appProfile = AppBuilder.profile("TEAM.com.example.*", expires: "2025-12-31T00:00:00Z") },
                "problem: the profile of Shop.app expired on 2025-12-31"
            ),
            of(
                {
                    $0.appProfile = nil
                    $0.serviceProfile = nil
                },
                "warning: there are no provisioning profiles, as in an app from the App Store: they cannot be checked"
            ),
            of(
                { $0.hasPrivacyManifest = false },
                "warning: there is no PrivacyInfo.xcprivacy, not even the kit's"
            ),
        ])
    func wrong(_ change: @escaping Change, _ trouble: String) throws {
        #expect(try troubles(change) == [trouble])
        let fixes = try findings(change).filter { $0.level == .problem }.map(\.fix)
        #expect(fixes.allSatisfy { $0 != nil })
    }

    @Test("without a signature, entitlements are those of the profile, or are not known")
    func unsigned() throws {
        let unsigned = try troubles {
            $0.appEntitlements = nil
            $0.serviceEntitlements = nil
            $0.appProfile = nil
            $0.serviceProfile = nil
        }
        #expect(
            unsigned.first == "warning: the entitlements cannot be checked, because the archive is not signed"
        )
    }

    @Test("an archive that is cut off anywhere, or damaged, is an error and never a crash")
    func damaged() throws {
        let archive = try AppBuilder().archive()
        for length in stride(from: 0, to: archive.count, by: 7) {
            #expect(throws: ArchiveError.self) { try KitCheck.run(archive: archive.prefix(length), now: now) }
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var damaged = archive
            for _ in 0..<8 {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            _ = try? KitCheck.run(archive: damaged, now: now)
        }
        // Numbers that are as large as they can be.
        for start in stride(from: 0, to: archive.count - 8, by: 3) {
            var damaged = archive
            damaged.replaceSubrange(start..<start + 8, with: Data(repeating: 0xFF, count: 8))
            _ = try? KitCheck.run(archive: damaged, now: now)
        }
    }

    @Test("what is no app is said so")
    func noApp() throws {
        #expect(throws: ArchiveError.notAnArchive) { try KitCheck.run(archive: Data("PK".utf8), now: now) }
        let empty = AppBuilder.little(0x0605_4b50) + Data(count: 18)
        #expect(throws: ArchiveError.noApp) { try KitCheck.run(archive: empty, now: now) }
        #expect { try KitCheck.run("/nowhere/app.ipa", now: now) } throws: {
            "\($0)".contains("does not exist")
        }
    }

    @Test("a folder is read like an archive")
    func folder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-app-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in try AppBuilder().files {
            let place = folder.appendingPathComponent(file.path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try file.bytes.write(to: place)
        }
        for path in [folder.path, folder.appendingPathComponent("Payload/Shop.app").path] {
            #expect(try KitCheck.run(path, now: now).allSatisfy { $0.level == .ok })
        }
    }
}

typealias Change = @Sendable (inout AppBuilder) -> Void

private func of(_ change: @escaping Change, _ trouble: String) -> (Change, String) { (change, trouble) }
