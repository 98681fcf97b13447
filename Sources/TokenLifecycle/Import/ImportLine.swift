public import DeliveryModel
internal import Foundation
public import Instants

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

/// The order in which lines count: the earliest registration first. Lines of the same instant are ordered by their content, so
/// that their order in the file has no effect. Equal lines keep it.
extension ImportLine: Comparable {
    static func < (left: ImportLine, right: ImportLine) -> Bool {
        if left.registeredAt != right.registeredAt { return left.registeredAt < right.registeredAt }
        if left.address.value != right.address.value { return left.address.value < right.address.value }
        let words = (left.words, right.words)
        return words.0 == words.1 ? left.number < right.number : words.0.lexicographicallyPrecedes(words.1)
    }

    static func == (left: ImportLine, right: ImportLine) -> Bool {
        !(left < right) && !(right < left)
    }

    private var words: [String] {
        let place = [
            deviceID?.uuidString ?? "", address.text, address.topic, address.environment.rawValue,
            address.kind.rawValue,
        ]
        // Traits without a device are not kept.
        guard deviceID != nil else { return place }
        return place + [
            traits.account ?? "", traits.platform ?? "", traits.appVersion ?? "", traits.osVersion ?? "",
            traits.language ?? "", traits.permission ?? "",
        ] + (traits.tags ?? [])
    }
}

/// Values for rows of a table that do not state their own.
public struct ImportDefaults: Hashable, Sendable {
    /// If `nil`, the row's provider determines it; alert if the row names none.
    public var kind: TokenKind?
    public var environment = Environment.production
    /// Empty if unknown.
    public var topic = ""
    /// If `nil`, a row has to state when its token was registered.
    public var registeredAt: Instant?

    public init() {}
}
