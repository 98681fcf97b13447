internal import Foundation

/// Readable names of the tokens and installations that evidence names by number. Without a name, the number is used.
public struct StoryNames: Hashable, Sendable {
    var devices: [Int64: UUID] = [:]
    var fingerprints: [Int64: String] = [:]

    /// `device 6f9619ff-…`.
    public func device(_ installationID: Int64) -> String {
        devices[installationID].map { "device \($0.uuidString.lowercased())" }
            ?? "installation \(installationID)"
    }

    /// `#12 (3fa9c1d2e4b5)`.
    public func token(_ tokenID: Int64) -> String {
        fingerprints[tokenID].map { "#\(tokenID) (\($0.prefix(TokenProfile.shownDigits)))" } ?? "#\(tokenID)"
    }
}
