public import DeliveryModel
public import Foundation
public import Trust

/// An app's registration: the body of `PUT /v1/devices/{device_id}`, validated.
///
/// `nil` leaves the known value as it is.
public struct Registration: Sendable {
    public static let permissions = ["authorized", "provisional", "ephemeral", "denied", "not_determined"]

    /// Reads a permission as apps write it: also in the words of browsers, and in another case.
    public static func permission(named word: String) -> String? {
        switch WordSpellings.fold(word) {
        case "granted": "authorized"
        case "default", "prompt": "not_determined"
        case let folded: permissions.first { WordSpellings.fold($0) == folded }
        }
    }

    public var deviceID: UUID
    public var tokens: [TokenAddress] = []
    /// Whether the device says that it has no token; `nil` if it says nothing about tokens.
    public var hasNoToken: Bool?
    /// The times at which values expire, as those of Live Activities do; absent for most.
    public var expirations: [TokenAddress: Instant] = [:]
    /// The keys of Web Push subscriptions; absent keys leave the known ones as they are.
    public var keys: [TokenAddress: WebPushKeys] = [:]
    public var platform: String?
    public var appVersion: String?
    public var osVersion: String?
    public var language: String?
    public var timeZone: String?
    public var model: String?
    public var permission: String?
    /// What the user turned off, of what the app reports.
    public var turnedOff: [NotificationSetting]?
    /// Why the system gave the app no token; `nil` if it gave one.
    public var error: String?
    /// Categories of notifications that the app has not registered with the system: their actions do not
    /// appear. Empty if there are none.
    public var missingCategories: [String]?
    public var kit: String?
    /// Empty means signed out.
    public var account: String?
    public var tags: [String]?
    /// Whether account and tags count: a server or the backend vouches for them, or the app trusts devices.
    public var isVerified = true
    public var poster = InstallationPoster.server
    public var registeredAt: Instant

    public init(deviceID: UUID, registeredAt: Instant) {
        self.deviceID = deviceID
        self.registeredAt = registeredAt
    }
}

/// What a registration has done.
public struct Registered: Sendable {
    /// In the order in which the app listed them.
    public internal(set) var tokens: [RegisteredToken] = []
    public let claim: InstallationClaim
    public let isNew: Bool
    /// Whether account and tags that a server gave the installation are only claims from now on.
    public let endsVerification: Bool
    /// The device's new credential; `nil` if it has one already, or needs none.
    public let credential: InstallationCredential?
    /// The number of values new to the app, if a device posted them and no push to it was accepted yet.
    public internal(set) var newValues = 0
    let installationID: Int64
    /// Whether this is the installation's latest registration.
    let isUpToDate: Bool
}

/// The outcome for one token of a registration.
public struct RegisteredToken: Hashable, Sendable {
    public let address: TokenAddress
    public let state: TokenState
    public let change: RegistrationChange
    /// `nil` for an unknown value in an outdated registration, which is not recorded.
    public let tokenID: Int64?
    /// Whether the app had no token with this value at this address.
    let isNew: Bool
    /// Whether responses may have added tokens of the value that this registration missed (``StrayTokens``).
    ///
    /// Only if the value had no installation before, which a refreshed one has. Otherwise an earlier
    /// registration of the value is committed. A response that did not see that one was committed before it,
    /// and then this registration has merged its token; or after it, and then the response itself looks once
    /// more and finds the registered token.
    public let mayHaveStrays: Bool
}
