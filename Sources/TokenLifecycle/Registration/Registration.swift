public import DeliveryModel
public import Foundation

/// What an app says about itself when it registers: the body of `PUT /v1/devices/{device_id}`, validated.
///
/// Nil leaves what is known as it is.
public struct Registration: Sendable {
    /// What `permission` may be.
    public static let permissions = ["authorized", "provisional", "ephemeral", "denied", "not_determined"]

    public var deviceID: UUID
    public var tokens: [TokenAddress] = []
    /// When values stop working, as those of Live Activities do; absent for most.
    public var expirations: [TokenAddress: Instant] = [:]
    public var platform: String?
    public var appVersion: String?
    public var osVersion: String?
    public var language: String?
    public var timeZone: String?
    public var model: String?
    public var permission: String?
    /// Empty means signed out.
    public var account: String?
    public var tags: [String]?
    /// When the app registered.
    public var registeredAt: Instant

    public init(deviceID: UUID, registeredAt: Instant) {
        self.deviceID = deviceID
        self.registeredAt = registeredAt
    }
}

/// What became of one token of a registration.
public struct RegisteredToken: Hashable, Sendable {
    public let address: TokenAddress
    public let state: TokenState
    public let change: RegistrationChange
    /// Nil for a value that nobody knows, which an outdated registration does not make known.
    public let tokenID: Int64?
}
