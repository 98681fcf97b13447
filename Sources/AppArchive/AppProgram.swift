internal import Foundation

/// The app in an archive, or one of its extensions: what the checks need of it.
struct AppProgram {
    /// `Shop.app`, `NotificationService.appex`.
    let name: String
    let plist: [String: Any]
    /// Those in its code signature, otherwise those of its profile; `nil` if there are neither.
    let entitlements: Entitlements?
    let profile: ProvisioningProfile?
    /// The folder is part of the app, but nothing that could be read was in it.
    let hasPrivacyManifest: Bool

    var bundleID: String { plist["CFBundleIdentifier"] as? String ?? "" }
    var oldestSystem: String? { plist["MinimumOSVersion"] as? String }

    var extensionPoint: String? {
        (plist["NSExtension"] as? [String: Any])?["NSExtensionPointIdentifier"] as? String
    }

    func text(_ key: String) -> String { plist[key] as? String ?? "" }

    /// - Parameter folder: its path, without a slash at the end.
    init?(_ folder: String, in files: some AppFiles) throws(ArchiveError) {
        guard let bytes = try files.contents(of: folder + "/Info.plist"),
            let plist = PropertyList.dictionary(bytes)
        else { return nil }
        self.plist = plist
        name = folder.split(separator: "/").last.map(String.init) ?? folder
        profile = try files.contents(of: folder + "/embedded.mobileprovision").flatMap(
            ProvisioningProfile.init)
        let executable = plist["CFBundleExecutable"] as? String ?? ""
        let program = executable.isEmpty ? nil : try files.contents(of: folder + "/" + executable)
        entitlements = program.flatMap { Entitlements.signed(into: $0) } ?? profile?.entitlements
        hasPrivacyManifest = files.paths.contains {
            $0.hasPrefix(folder + "/") && $0.hasSuffix("PrivacyInfo.xcprivacy")
        }
    }

    /// The app and its extensions.
    static func all(in files: some AppFiles) throws(ArchiveError) -> (
        app: AppProgram, extensions: [AppProgram]
    ) {
        let folders = Set(files.paths.compactMap { path in folder(of: path, suffix: ".app") })
        guard let folder = folders.min(), folders.count == 1, let app = try AppProgram(folder, in: files)
        else { throw .noApp }
        let plugIns = Set(files.paths.compactMap { path in Self.folder(of: path, suffix: ".appex") })
        var extensions: [AppProgram] = []
        for name in plugIns.sorted() where name.hasPrefix(folder + "/PlugIns/") {
            if let found = try AppProgram(name, in: files) { extensions.append(found) }
        }
        return (app, extensions)
    }

    /// The folder with this suffix that contains the Info.plist at this path, unless it is inside another.
    private static func folder(of path: String, suffix: String) -> String? {
        guard path.hasSuffix(suffix + "/Info.plist") else { return nil }
        let folder = String(path.dropLast("/Info.plist".count))
        let outer = folder.split(separator: "/").dropLast()
        return outer.contains { $0.hasSuffix(suffix) } ? nil : folder
    }
}
