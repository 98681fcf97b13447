internal import DeliveryModel
internal import Foundation
internal import Instants

/// One valid line of an import.
struct ImportLine: Sendable {
    var number: Int
    var address: TokenAddress
    var registeredAt: Instant
    /// If `nil`, the token has no installation.
    var deviceID: UUID?
    /// The line's data about the installation; used only if there is one.
    var traits = ImportTraits()
}

/// A line's data about an installation; `nil` leaves the known value as it is.
struct ImportTraits: Sendable {
    var platform: String?
    var appVersion: String?
    var osVersion: String?
    var language: String?
    var permission: String?
    var tags: [String]?
    var account: String?

    /// These traits; where they are `nil`, the others.
    func over(_ others: ImportTraits) -> ImportTraits {
        ImportTraits(
            platform: platform ?? others.platform, appVersion: appVersion ?? others.appVersion,
            osVersion: osVersion ?? others.osVersion, language: language ?? others.language,
            permission: permission ?? others.permission, tags: tags ?? others.tags,
            account: account ?? others.account)
    }
}
