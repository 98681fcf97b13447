public import Foundation

/// The time in milliseconds since 1970, by this machine's clock.
public typealias WallClock = @Sendable () -> Int64

public let systemClock: WallClock = { Int64(Date().timeIntervalSince1970 * 1_000) }

/// Receives sentences for the app's developers. They contain no token and no key.
public typealias Log = @Sendable (_ sentence: String) -> Void

/// Where events go, with which key.
public struct Configuration: Sendable {
    public static let usualPayloadKey = "landfall"

    public var url: URL
    /// A device key, `lf_device_…`. It ships with the app, so it is public (docs/trust.md).
    public var key: String
    /// The App Group that the app and its extension share, `group.…`; `nil` if there is none.
    public var appGroup: String?
    /// The object in the payload that names the notification.
    public var payloadKey: String

    public init(
        url: URL, key: String, appGroup: String? = nil, payloadKey: String = Configuration.usualPayloadKey
    ) {
        self.url = url
        self.key = key
        self.appGroup = appGroup
        self.payloadKey = payloadKey
    }

    /// Reads `LandfallURL`, `LandfallDeviceKey`, `LandfallAppGroup` and `LandfallPayloadKey`.
    ///
    /// - Parameter plist: the Info.plist of the app or of its extension.
    public init(plist: [String: Any]) throws(ConfigurationError) {
        func value(_ name: String) -> String? {
            guard let text = plist[name] as? String, !text.isEmpty else { return nil }
            return text
        }
        guard let text = value("LandfallURL") else { throw .missing("LandfallURL") }
        // A build setting that is not defined leaves $(…), and xcconfig files take // for a comment.
        guard let url = URL(string: text), let scheme = url.scheme, scheme == "http" || scheme == "https",
            url.host != nil
        else { throw .invalidURL(text) }
        guard let key = value("LandfallDeviceKey") else { throw .missing("LandfallDeviceKey") }
        let secretKinds = ["lf_server_", "lf_report_", "lf_hook_"]
        guard !secretKinds.contains(where: key.hasPrefix) else { throw .secretKey }
        guard key.hasPrefix("lf_device_") else { throw .invalidKey }
        self.init(
            url: url, key: key, appGroup: value("LandfallAppGroup"),
            payloadKey: value("LandfallPayloadKey") ?? Self.usualPayloadKey)
    }

    /// Different if the server or the key is.
    package var fingerprint: String { StableHash(url.absoluteString + "\n" + key).hex }
}

/// Why the kit uploads nothing. Events are kept on the device until it is configured.
public enum ConfigurationError: Error, CustomStringConvertible {
    case missing(String)
    case invalidURL(String)
    case invalidKey
    /// The key of a server: anyone who unpacks the app can send and read with it.
    case secretKey

    public var description: String {
        switch self {
        case .missing(let name):
            "Info.plist has no \(name): add it to the app and to its notification service extension"
        case .invalidURL(let text):
            "LandfallURL is no URL: \(text). In an .xcconfig file, write https:/$()/host, because // begins a comment there"
        case .invalidKey:
            "LandfallDeviceKey is no device key: create one with `landfall key create --kind device`"
        case .secretKey:
            """
            LandfallDeviceKey is not a device key but a secret one, and anyone can read it in the app: revoke it with \
            `landfall key revoke`, and create one with `landfall key create --kind device`
            """
        }
    }
}
