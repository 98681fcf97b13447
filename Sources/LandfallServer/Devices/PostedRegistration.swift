internal import DeliveryModel
internal import Foundation
internal import Hummingbird
internal import Ingestion
internal import NIOCore
internal import TokenLifecycle

/// The body of `PUT /v1/devices/{device_id}` as it was posted.
///
/// The tokens and the account matter. Everything else is a label: one that cannot be read is left out.
struct PostedRegistration {
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
    /// The names of the fields that could not be read.
    private(set) var unread: [String] = []

    static let bodyBytes = 64 * 1_024

    init(_ body: [UInt8]) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do {
            self = try decoder.decode(Self.self, from: Data(body))
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw Problem(.badRequest, "invalid_json", "the body must be one JSON object")
        } catch let error as DecodingError {
            throw Problem.unprocessable("invalid_field", "\(error.field) is missing or has the wrong type")
        }
    }

    /// The registration in this body. A device cannot backdate it: its clock is not trustworthy, and a later
    /// registration is the safe side in the comparison with a 410.
    func registration(deviceID: UUID, by poster: InstallationPoster, now: Instant) throws -> Registration {
        try check(poster)
        let registeredAt = poster == .server ? min(registeredAt?.instant ?? now, now) : now
        var registration = Registration(deviceID: deviceID, registeredAt: registeredAt)
        registration.poster = poster
        for case .success(let token) in tokens?.map(\.listed) ?? [] {
            // If the list repeats a token, what one of them says counts.
            if let expiresAt = token.expiresAt { registration.expirations[token.address] = expiresAt }
            if let keys = token.keys { registration.keys[token.address] = keys }
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

    private func check(_ poster: InstallationPoster) throws {
        if poster == .server, unread.contains(CodingKeys.registeredAt.postedName) {
            throw Problem.unprocessable("invalid_instant", "registered_at \(PostedInstant.requirement)")
        }
        guard tokens?.count ?? 0 <= FieldLimits.tokens, tags?.count ?? 0 <= FieldLimits.tags else {
            throw Problem.unprocessable(
                "too_long",
                "one registration may contain at most \(FieldLimits.tokens) tokens and \(FieldLimits.tags) tags"
            )
        }
        guard missingCategories?.count ?? 0 <= FieldLimits.categories else {
            throw Problem.unprocessable(
                "too_long",
                "missing_categories may have at most \(FieldLimits.categories) names")
        }
        for text in [account, accountProof].compactMap({ $0 }) where !text.isStorable {
            throw Problem.unprocessable(
                "too_long",
                "account and account_proof may not be longer than \(FieldLimits.text) characters or contain a NUL character"
            )
        }
    }
}

extension PostedRegistration: Decodable {
    private enum CodingKeys: String, CodingKey {
        case tokens, platform, appVersion, osVersion, language, timeZone, model, permission, settings
        case registrationError, missingCategories, kit, account, tags, accountProof, registeredAt
    }

    private typealias Fields = KeyedDecodingContainer<CodingKeys>

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        tokens = try fields.decodeIfPresent([PostedToken].self, forKey: .tokens)
        account = try fields.decodeIfPresent(PostedName.self, forKey: .account)?.text
        accountProof = try fields.decodeIfPresent(String.self, forKey: .accountProof)
        platform = text(.platform, fields)
        appVersion = text(.appVersion, fields)
        osVersion = text(.osVersion, fields)
        language = text(.language, fields)
        timeZone = text(.timeZone, fields)
        model = text(.model, fields)
        permission = text(.permission, fields) { Registration.permission(named: $0) }
        settings = label(.settings, fields) { (settings: Settings) in settings }
        registrationError = text(.registrationError, fields)
        missingCategories = texts(.missingCategories, fields)
        kit = text(.kit, fields)
        tags = texts(.tags, fields)
        registeredAt = label(.registeredAt, fields) { (instant: PostedInstant) in instant }
    }

    /// Notes a label that is not a `Posted`, or of which `read` makes nothing, as unread.
    private mutating func label<Posted: Decodable, Value>(
        _ key: CodingKeys, _ fields: Fields, _ read: (Posted) -> Value?
    ) -> Value? {
        do {
            guard let posted = try fields.decodeIfPresent(Posted.self, forKey: key) else { return nil }
            if let value = read(posted) { return value }
        } catch {
            // The same as a value that cannot be read.
        }
        unread.append(key.postedName)
        return nil
    }

    private mutating func text(
        _ key: CodingKeys, _ fields: Fields, _ read: (String) -> String? = { $0 }
    ) -> String? {
        label(key, fields) { (name: PostedName) in name.text.isStorable ? read(name.text) : nil }
    }

    private mutating func texts(_ key: CodingKeys, _ fields: Fields) -> [String]? {
        label(key, fields) { (names: [PostedName]) in
            names.allSatisfy(\.text.isStorable) ? names.map(\.text) : nil
        }
    }
}

/// A text, or a number: versions and ids of accounts often are.
private struct PostedName: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.text = text
        } else if let whole = try? value.decode(Int64.self) {
            text = String(whole)
        } else {
            text = String(try value.decode(Double.self))
        }
    }
}

extension CodingKey {
    /// The name as it is posted: the decoder made `appVersion` of `app_version`.
    fileprivate var postedName: String {
        stringValue.replacing(/[A-Z]/) { "_" + $0.0.lowercased() }
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
        return path.isEmpty ? "the body" : path.map(\.postedName).joined(separator: ".")
    }
}
