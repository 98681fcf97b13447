public import Foundation

/// The APNs environment that a token belongs to: that of the app's `aps-environment` entitlement.
public enum APNsEnvironment {
    /// That of the running app.
    public static let current: String = {
        #if targetEnvironment(simulator)
            return "sandbox"
        #else
            return name(bundle: Bundle.main.bundleURL)
        #endif
    }()

    /// The places of the profile in a bundle for a Mac, and in any other. The platform does not determine
    /// which it is: an iOS app that was built for the Mac (Mac Catalyst) is in a bundle for a Mac.
    private static let places = ["Contents/embedded.provisionprofile", "embedded.mobileprovision"]

    /// The APNs environment of the app in this bundle.
    ///
    /// - Returns: `production` or `sandbox`.
    public static func name(bundle: URL) -> String {
        let profiles = places.lazy.compactMap { try? Data(contentsOf: bundle.appendingPathComponent($0)) }
        return name(profile: profiles.first)
    }

    /// - Parameter profile: the provisioning profile; `nil` if there is none, as in apps from the App Store
    ///   and from TestFlight.
    /// - Returns: `production` or `sandbox`.
    public static func name(profile: Data?) -> String {
        guard let profile, let entitlements = entitlements(of: profile) else { return "production" }
        let value = entitlements["aps-environment"] ?? entitlements["com.apple.developer.aps-environment"]
        return value as? String == "development" ? "sandbox" : "production"
    }

    /// A profile is a signed message around a property list, which is there in plain text.
    static func entitlements(of profile: Data) -> [String: Any]? {
        guard let start = profile.range(of: Data("<?xml".utf8)),
            let end = profile.range(of: Data("</plist>".utf8), in: start.lowerBound..<profile.endIndex)
        else { return nil }
        let text = profile[start.lowerBound..<end.upperBound]
        let plist = try? PropertyListSerialization.propertyList(from: text, format: nil)
        return (plist as? [String: Any])?["Entitlements"] as? [String: Any]
    }
}
