internal import DeliveryModel
internal import Foundation

/// One valid line of an import.
struct ImportLine: Sendable {
    var number: Int
    var address: TokenAddress
    var registeredAt: Instant
    /// Nil makes a token without installation.
    var deviceID: UUID?
    /// What the line says about the installation; only looked at where there is one.
    var traits = ImportTraits()
}

/// What a line says about an installation; nil leaves what is known as it is.
struct ImportTraits: Sendable {
    var platform: String?
    var appVersion: String?
    var osVersion: String?
    var language: String?
    var permission: String?
    var tags: [String]?
    var account: String?

    /// These, and where they are silent the others.
    func over(_ others: ImportTraits) -> ImportTraits {
        ImportTraits(
            platform: platform ?? others.platform, appVersion: appVersion ?? others.appVersion,
            osVersion: osVersion ?? others.osVersion, language: language ?? others.language,
            permission: permission ?? others.permission, tags: tags ?? others.tags,
            account: account ?? others.account)
    }
}
