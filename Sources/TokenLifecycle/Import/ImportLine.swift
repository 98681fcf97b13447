public import DeliveryModel
internal import Foundation

/// Checks the fields of a line by the rules for registrations.
struct ImportLineReader {
    let defaults: ImportDefaults
    let now: Instant

    func line(_ number: Int, _ fields: ImportFields) throws(ImportRejection) -> ImportLine {
        try checkLengths(of: fields)
        var line = ImportLine(
            number: number, address: try address(fields), registeredAt: try registeredAt(fields))
        if let text = fields[.deviceID] {
            guard let id = UUID(strict: text) else {
                throw .init(.invalidDeviceID, "device_id must be the UUID that the app created")
            }
            line.deviceID = id
        }
        line.keys = keys(fields, of: line.address.kind)
        line.traits = ImportTraits(
            platform: fields[.platform], appVersion: fields[.appVersion]?.canonicalName,
            osVersion: fields[.osVersion]?.canonicalName, language: fields[.language]?.canonicalLanguage,
            permission: try permission(fields), tags: fields.tags?.map(\.canonicalName),
            account: fields[.account]?.canonicalName)
        return line
    }

    private func address(_ fields: ImportFields) throws(ImportRejection) -> TokenAddress {
        guard let posted = fields[.value] else { throw .init(.missingValue, "the value is missing") }
        let issuer = try issuer(fields)
        let kind = try kind(fields, issuer?.provider)
        let named = issuer?.environment ?? fields[.kind].flatMap { Provider.read($0)?.environment }
        let value: TokenValue
        switch TokenValue.read(posted, issuer: kind.provider) {
        case .success(let read): value = read
        case .failure(let fault):
            throw .init(
                .invalidValue, "the value is not a token of kind \(kind.rawValue): it \(fault.advice)",
                ImportMistake.ofValue(posted, issuer: kind.provider))
        }
        let topic = (fields[.topic] ?? defaults.topic).canonicalName
        return TokenAddress(
            provider: kind.provider, environment: try environment(fields, named: named), topic: topic,
            kind: kind.refined(byTopic: topic).refined(byValue: value.text), value: value.canonical,
            text: value.text)
    }

    /// Keys that cannot be used are left out: the line is still a token.
    private func keys(_ fields: ImportFields, of kind: TokenKind) -> WebPushKeys? {
        guard kind == .webPush else { return nil }
        return (try? WebPushKeys.read(p256dh: fields[.p256dh], auth: fields[.auth])) ?? nil
    }

    /// The provider that issued the token, and the environment if the word names it, as `apns_sandbox` does.
    private func issuer(
        _ fields: ImportFields
    ) throws(ImportRejection) -> (provider: String, environment: Environment?)? {
        guard let word = fields[.provider] else { return nil }
        guard let reading = Provider.read(word),
            case let issuer = TokenKind.issuer(ofTokensOf: reading.provider), TokenKind.canRegister(issuer)
        else {
            throw .init(
                .invalidField, "provider must be the issuer of the token: apns, fcm, webpush, expo, hms, …")
        }
        return (issuer, reading.environment)
    }

    private func kind(_ fields: ImportFields, _ provider: String?) throws(ImportRejection) -> TokenKind {
        let kind: TokenKind
        if let text = fields[.kind] {
            guard let named = TokenKind(named: text) else {
                throw .init(.invalidField, "kind must be one of \(TokenKind.list)")
            }
            kind = named
        } else if let provider, provider != defaults.kind?.provider {
            kind = .inferred(provider: provider, topic: fields[.topic] ?? defaults.topic)
        } else {
            kind = defaults.kind ?? .alert
        }
        guard provider == nil || provider == kind.provider else {
            throw .init(.invalidField, "tokens of kind \(kind.rawValue) are not of this provider")
        }
        return kind
    }

    private func environment(
        _ fields: ImportFields, named: Environment?
    ) throws(ImportRejection) -> Environment {
        guard let text = fields[.environment] else { return named ?? defaults.environment }
        guard let environment = Environment(posted: text) else {
            throw .init(.invalidField, "environment must be production or sandbox")
        }
        guard named ?? environment == environment else {
            throw .init(.invalidField, "provider and environment name different environments")
        }
        return environment
    }

    private func registeredAt(_ fields: ImportFields) throws(ImportRejection) -> Instant {
        guard let text = fields[.registeredAt], Instant(imported: text)?.isZeroValue != true else {
            if let registeredAt = defaults.registeredAt { return registeredAt }
            throw .init(
                .missingRegisteredAt, "registered_at is missing: without it, it is unknown what is newer")
        }
        let instant = Instant(imported: text)
        if let instant, instant >= .earliestPosted, instant <= now { return instant }
        if let mistake = ImportMistake.ofTime(text, now: now) { throw .init(.invalidInstant, mistake) }
        guard let instant, instant >= .earliestPosted else {
            throw .init(
                .invalidInstant,
                "registered_at must have a zone, such as 2026-03-01T09:30:00Z, or be milliseconds (not "
                    + "seconds) since 1970, in 2009 or later")
        }
        throw .init(.inFuture, "registered_at is in the future")
    }

    private func permission(_ fields: ImportFields) throws(ImportRejection) -> String? {
        guard let text = fields[.permission] else { return nil }
        if let permission = Registration.permission(named: text) { return permission }
        let permissions = Registration.permissions.joined(separator: ", ")
        throw .init(.invalidField, "permission must be one of \(permissions)")
    }

    private func checkLengths(of fields: ImportFields) throws(ImportRejection) {
        let unlimited: Set<ImportFields.Column> = [.value, .p256dh, .auth]
        let texts = ImportFields.Column.allCases.filter { !unlimited.contains($0) }.compactMap { fields[$0] }
        let tags = fields.tags ?? []
        guard tags.count <= FieldLimits.tags, (texts + tags).allSatisfy(\.isStorable) else {
            throw .init(
                .tooLong,
                "no field may be longer than \(FieldLimits.text) characters or contain a NUL character, "
                    + "and there may be at most \(FieldLimits.tags) tags")
        }
    }
}

extension Instant {
    /// RFC 3339 with a zone, also as PostgreSQL prints it (`2026-03-01 09:30:00+00`), or milliseconds since
    /// 1970, whose fraction is cut off.
    init?(imported text: String) {
        if let milliseconds = Int64(text) {
            self.init(millisecondsSinceEpoch: milliseconds)
        } else if let (whole, fraction) = text.decimal, let milliseconds = Int64(whole), !fraction.isEmpty {
            self.init(millisecondsSinceEpoch: milliseconds)
        } else if let instant = Instant(rfc3339: text) ?? Instant(rfc3339: text + ":00") {
            self = instant
        } else {
            return nil
        }
    }
}

extension String {
    /// The parts of a number with a decimal point or comma.
    fileprivate var decimal: (whole: Substring, fraction: Substring)? {
        let parts = split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard parts.count == 2, parts[1].allSatisfy(\.isNumber) else { return nil }
        return (parts[0], parts[1])
    }
}

struct ImportLine: Sendable {
    var number: Int
    var address: TokenAddress
    var registeredAt: Instant
    /// The keys of a Web Push subscription; `nil` leaves the known ones as they are.
    var keys: WebPushKeys?
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

/// The order in which lines count: the earliest registration first. Lines of the same instant are ordered by
/// their content, so that their order in the file has no effect. Equal lines keep it.
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
            address.kind.rawValue, keys?.p256dh ?? "", keys?.auth ?? "",
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
