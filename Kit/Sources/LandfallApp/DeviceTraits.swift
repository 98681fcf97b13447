public import Foundation

/// What a registration says about the app and its device.
public struct DeviceTraits: Hashable, Sendable {
    public var platform: String
    /// `CFBundleShortVersionString`.
    public var appVersion: String?
    /// `18.1`.
    public var osVersion: String
    /// The first preferred language with its script, without a region: `de`, `zh-Hant`.
    public var language: String?
    /// An IANA name.
    public var timeZone: String
    /// `iPhone16,1`.
    public var model: String?

    public init(bundle: Bundle = .main) {
        #if os(iOS)
            platform = "ios"
        #elseif os(watchOS)
            platform = "watchos"
        #elseif os(tvOS)
            platform = "tvos"
        #elseif os(visionOS)
            platform = "visionos"
        #elseif os(macOS)
            platform = "macos"
        #else
            platform = "linux"
        #endif
        appVersion = bundle.infoDictionary?["CFBundleShortVersionString"] as? String
        let version = ProcessInfo.processInfo.operatingSystemVersion
        osVersion = "\(version.majorVersion).\(version.minorVersion)"
        language = Locale.preferredLanguages.first.map(Self.withoutRegion)
        timeZone = TimeZone.current.identifier
        model = Self.machine
    }

    /// `en-US` → `en`, `zh-Hant-TW` → `zh-Hant`.
    static func withoutRegion(_ language: String) -> String {
        let parts = language.split(whereSeparator: { $0 == "-" || $0 == "_" })
        return parts.prefix(1).joined() + (parts.dropFirst().first { $0.count == 4 }.map { "-" + $0 } ?? "")
    }

    private static var machine: String? {
        var names = utsname()
        guard uname(&names) == 0 else { return nil }
        return withUnsafeBytes(of: names.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
