public import Foundation

/// One statement about an archive.
public struct KitFinding: Hashable, Sendable {
    public enum Level: String, CaseIterable, Sendable {
        case ok
        /// It may be as intended.
        case warning
        /// The kit will not work, or not fully.
        case problem
    }

    public let level: Level
    /// What is as it should be, or not.
    public let sentence: String
    /// What to do; `nil` if nothing.
    public let fix: String?
}

/// Whether the device kit will work in an app, as far as its archive tells (docs/kit.md).
public enum KitCheck {
    /// - Parameters:
    ///   - path: an .ipa archive, an .xcarchive, or a folder with an .app.
    ///   - now: decides which profiles have expired.
    /// - Throws: ``ArchiveError``.
    public static func run(_ path: String, now: Date) throws -> [KitFinding] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ArchiveError.unreadable(path: path, reason: "it does not exist")
        }
        if isFolder.boolValue {
            return try run(AppFolder(URL(fileURLWithPath: path).standardizedFileURL), now: now)
        }
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        } catch {
            throw ArchiveError.unreadable(path: path, reason: error.localizedDescription)
        }
        return try run(archive: bytes, now: now)
    }

    /// - Parameter archive: the bytes of an .ipa.
    public static func run(archive: Data, now: Date) throws -> [KitFinding] {
        try run(try ZipArchive(archive), now: now)
    }

    private static func run(_ files: some AppFiles, now: Date) throws -> [KitFinding] {
        let (app, extensions) = try AppProgram.all(in: files)
        let services = extensions.filter { $0.extensionPoint == "com.apple.usernotifications.service" }
        let programs = [app] + services.prefix(1)
        return ok("\(app.name) is \(app.bundleID), for iOS \(app.oldestSystem ?? "?") and later")
            + service(services, of: app) + keys(programs) + groups(programs) + pushes(app)
            + profiles(programs, now: now) + privacy(app)
    }

    private static func ok(_ sentence: String) -> [KitFinding] {
        [KitFinding(level: .ok, sentence: sentence, fix: nil)]
    }

    private static func warning(_ sentence: String, fix: String? = nil) -> [KitFinding] {
        [KitFinding(level: .warning, sentence: sentence, fix: fix)]
    }

    private static func problem(_ sentence: String, fix: String) -> [KitFinding] {
        [KitFinding(level: .problem, sentence: sentence, fix: fix)]
    }

    private static func service(_ services: [AppProgram], of app: AppProgram) -> [KitFinding] {
        guard let service = services.first else {
            return problem(
                "there is no notification service extension, so no arrival is reported",
                fix:
                    "add a target of type Notification Service Extension, and link LandfallExtension to it")
        }
        var findings = ok("\(service.name) is its notification service extension")
        if services.count > 1 {
            findings += problem(
                "there are \(services.count) notification service extensions, and the system runs one of them",
                fix: "keep one, and let it do the work of all")
        }
        if !service.bundleID.hasPrefix(app.bundleID + ".") {
            findings += problem(
                "the extension's bundle id \(service.bundleID) does not begin with \(app.bundleID).",
                fix: "name it \(app.bundleID).NotificationService")
        }
        // Number by number: 9.3 is older than 15.
        if let oldest = service.oldestSystem, let appOldest = app.oldestSystem,
            appOldest.compare(oldest, options: .numeric) == .orderedAscending
        {
            findings += problem(
                "the extension needs iOS \(oldest), the app \(appOldest): on systems in between, the extension does not run",
                fix: "set the extension's deployment target to that of the app")
        }
        return findings
    }

    // MARK: - Info.plist

    private static func keys(_ programs: [AppProgram]) -> [KitFinding] {
        ["LandfallURL", "LandfallDeviceKey", "LandfallAppGroup"].flatMap { key -> [KitFinding] in
            let missing = programs.filter { $0.text(key).isEmpty }
            let texts = Set(programs.map { $0.text(key) })
            if !missing.isEmpty {
                let sentence = "\(key) is missing in the Info.plist of \(missing.names)"
                let fix = "add it to the Info.plist of the app and of the extension"
                // Without a group, only the sharing is missing.
                return key == "LandfallAppGroup" ? warning(sentence, fix: fix) : problem(sentence, fix: fix)
            }
            guard texts.count == 1, let text = texts.first else {
                return problem(
                    "\(key) differs between the app and the extension", fix: "use one build setting for both")
            }
            return value(text, of: key)
        }
    }

    private static func value(_ text: String, of key: String) -> [KitFinding] {
        if text.contains("$(") {
            return problem(
                "\(key) is \(text): the build setting is not defined",
                fix: "define it in the target's build settings")
        }
        switch key {
        case "LandfallURL":
            guard let url = URL(string: text), let host = url.host, ["http", "https"].contains(url.scheme)
            else {
                return problem(
                    "LandfallURL is no URL: \(text)",
                    fix: "in an .xcconfig file, write https:/$()/host, because // begins a comment there")
            }
            guard url.scheme == "https" else {
                return warning(
                    "LandfallURL is not encrypted, and iOS blocks such connections: \(text)",
                    fix: "use https, except for a server on the developer's machine")
            }
            return ok("events go to \(host)")
        case "LandfallDeviceKey":
            if text.hasPrefix("lf_device_") { return ok("LandfallDeviceKey is a device key") }
            let isSecret = ["lf_server_", "lf_report_", "lf_hook_"].contains { text.hasPrefix($0) }
            return problem(
                isSecret
                    ? "LandfallDeviceKey is a secret key, and anyone can read it in the app"
                    : "LandfallDeviceKey is no device key",
                fix: (isSecret ? "revoke it with `landfall key revoke`, and " : "")
                    + "create one with `landfall key create --kind device`")
        default: return []
        }
    }

    // MARK: - Entitlements

    private static func groups(_ programs: [AppProgram]) -> [KitFinding] {
        let group = programs[0].text("LandfallAppGroup")
        guard !group.isEmpty else { return [] }
        guard programs.allSatisfy({ $0.entitlements != nil }) else {
            return warning(
                "the entitlements cannot be checked, because the archive is not signed",
                fix: "check an archive that was exported for a device")
        }
        let without = programs.filter { $0.entitlements?.appGroups.contains(group) != true }
        guard without.isEmpty else {
            return problem(
                "\(without.names) may not use the App Group \(group), so the app cannot upload what its extension recorded",
                fix: "add the App Group to the target, under Signing & Capabilities")
        }
        return ok("\(programs.names) share the App Group \(group)")
    }

    private static func pushes(_ app: AppProgram) -> [KitFinding] {
        guard let entitlements = app.entitlements else { return [] }
        switch entitlements.apsEnvironment {
        case "development": return ok("its tokens are those of the sandbox (aps-environment development)")
        case "production": return ok("its tokens are those of production (aps-environment production)")
        default:
            return problem(
                "the app may not receive pushes: it has no aps-environment",
                fix: "add Push Notifications to the app, under Signing & Capabilities")
        }
    }

    private static func profiles(_ programs: [AppProgram], now: Date) -> [KitFinding] {
        guard programs.contains(where: { $0.profile != nil }) else {
            return warning(
                "there are no provisioning profiles, as in an app from the App Store: they cannot be checked")
        }
        return programs.flatMap { program -> [KitFinding] in
            guard let profile = program.profile else {
                return problem(
                    "\(program.name) has no provisioning profile, so it does not start on a device",
                    fix: "let Xcode manage its signing, or create a profile for \(program.bundleID)")
            }
            if !profile.covers(bundleID: program.bundleID) {
                return problem(
                    "the profile of \(program.name) is for \(profile.applicationIdentifier)",
                    fix: "create a profile for \(program.bundleID)")
            }
            if let end = profile.expiresAt, end < now {
                return problem(
                    "the profile of \(program.name) expired on \(end.formatted(.iso8601.year().month().day()))",
                    fix: "create a new one, and build again")
            }
            return ok("\(program.name) has a provisioning profile of its own")
        }
    }

    private static func privacy(_ app: AppProgram) -> [KitFinding] {
        app.hasPrivacyManifest
            ? []
            : warning(
                "there is no PrivacyInfo.xcprivacy, not even the kit's",
                fix: "link the kit's products by SwiftPM, which copies its manifest")
    }
}

extension [AppProgram] {
    fileprivate var names: String { map(\.name).joined(separator: " and ") }
}
