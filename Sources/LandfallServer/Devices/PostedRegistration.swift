internal import Access
internal import DeliveryModel
internal import Foundation
internal import Hummingbird
internal import Ingestion
internal import Instants
internal import NIOCore
internal import TokenLifecycle

/// The body of `PUT /v1/devices/{device_id}` as it was posted.
struct PostedRegistration: Decodable {

    /// What the user allows; `false` means turned off.
    struct Settings: Decodable {
        var alert: Bool?
        var sound: Bool?
        var badge: Bool?
        var lockScreen: Bool?
        var notificationCenter: Bool?

        /// `nil` if no member says anything.
        var turnedOff: [NotificationSetting]? {
            let allowed: [(NotificationSetting, Bool?)] = [
                (.alert, alert), (.sound, sound), (.badge, badge), (.lockScreen, lockScreen),
                (.notificationCenter, notificationCenter),
            ]
            return allowed.allSatisfy { $0.1 == nil } ? nil : allowed.filter { $0.1 == false }.map(\.0)
        }
    }

    var tokens: [PostedToken]?
    var platform: String?
    var appVersion: String?
    var osVersion: String?
    var language: String?
    var timeZone: String?
    var model: String?
    var permission: String?
    var settings: Settings?
    /// Why the system gave the app no token.
    var registrationError: String?
    /// Categories of notifications that the app has not registered with the system.
    var missingCategories: [String]?
    /// The version of the device kit.
    var kit: String?
    var account: String?
    var tags: [String]?
    /// The proof of the app's backend for account and tags (``AccountProof``).
    var accountProof: String?
    /// The time at which the app registered; used only with server keys, which backfill.
    var registeredAt: PostedInstant?

    static let bodyBytes = 64 * 1_024
    static let mostTokens = 50
    static let mostTags = 100
    static let mostCategories = 20

    init(_ body: [UInt8]) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            self = try decoder.decode(Self.self, from: Data(body))
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw Problem(.badRequest, "invalid_json", "the body must be one JSON object")
        } catch DecodingError.dataCorrupted(let context)
            where context.debugDescription == PostedInstant.requirement
        {
            throw Problem(
                .unprocessableContent, "invalid_instant",
                "\(context.codingPath.map(\.stringValue).joined(separator: ".")) \(PostedInstant.requirement)"
            )
        } catch let error as DecodingError {
            throw Problem(
                .unprocessableContent, "invalid_field", "\(error.field) is missing or has the wrong type")
        }
    }

    /// The registration in this body. A device cannot backdate it: its clock is not trustworthy, and a later registration is the
    /// safe side in the comparison with a 410.
    func registration(deviceID: UUID, by poster: InstallationPoster, now: Instant) throws -> Registration {
        try check()
        let registeredAt = poster == .server ? min(registeredAt?.instant ?? now, now) : now
        var registration = Registration(deviceID: deviceID, registeredAt: registeredAt)
        registration.poster = poster
        for case .success(let token) in tokens?.map(\.listed) ?? [] {
            registration.expirations[token.address] = token.expiresAt
            if !registration.tokens.contains(token.address) { registration.tokens.append(token.address) }
        }
        registration.hasNoToken = tokens.map(\.isEmpty)
        registration.platform = platform
        registration.appVersion = appVersion?.canonicalName
        registration.osVersion = osVersion?.canonicalName
        registration.language = language?.canonicalLanguage
        registration.timeZone = timeZone
        registration.model = model?.canonicalName
        registration.permission = permission
        registration.turnedOff = settings?.turnedOff
        registration.error = registrationError.flatMap { $0.isEmpty ? nil : $0 }
        registration.missingCategories = missingCategories.map { $0.map(\.canonicalName) }
        registration.kit = kit
        registration.account = account?.canonicalName
        registration.tags = tags.map { $0.map(\.canonicalName) }
        return registration
    }

    private func check() throws {
        guard tokens?.count ?? 0 <= Self.mostTokens, tags?.count ?? 0 <= Self.mostTags else {
            throw Problem(
                .unprocessableContent, "too_long",
                "one registration may contain at most \(Self.mostTokens) tokens and \(Self.mostTags) tags")
        }
        guard missingCategories?.count ?? 0 <= Self.mostCategories else {
            throw Problem(
                .unprocessableContent, "too_long",
                "missing_categories may have at most \(Self.mostCategories) names")
        }
        if let permission, !Registration.permissions.contains(permission) {
            let names = Registration.permissions.joined(separator: ", ")
            throw Problem(.unprocessableContent, "invalid_field", "permission must be one of \(names)")
        }
        let strings =
            [
                platform, appVersion, osVersion, language, timeZone, model, account, accountProof, kit,
                registrationError,
            ] + (tags ?? []) + (missingCategories ?? [])
        for string in strings.compactMap({ $0 }) {
            guard string.isStorable else {
                throw Problem(
                    .unprocessableContent, "too_long",
                    "no field may be longer than \(EventValidator.longestString) characters or contain a NUL character"
                )
            }
        }
    }
}

extension DecodingError {
    /// The path of the field that could not be decoded.
    fileprivate var field: String {
        let path: [any CodingKey] =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            case .keyNotFound(let key, let context): context.codingPath + [key]
            @unknown default: []
            }
        return path.isEmpty ? "the body" : path.map(\.stringValue).joined(separator: ".")
    }
}
