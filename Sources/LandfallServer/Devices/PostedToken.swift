internal import DeliveryModel
internal import Ingestion

/// One token of a registration as it was posted. Each has its own outcome: an invalid token affects neither
/// the others nor the rest of the registration.
struct PostedToken: Decodable {
    /// A token that can be registered.
    struct Listed {
        let address: TokenAddress
        let expiresAt: Instant?
        let keys: WebPushKeys?
    }

    /// Why a token is not registered.
    struct Fault: Error {
        let code: String
        let detail: String

        init(_ code: String, _ detail: String) { (self.code, self.detail) = (code, detail) }
    }

    let listed: Result<Listed, Fault>
    /// The fields that were left out because they could not be read.
    let warnings: [Fault]

    /// `endpoint`, `expirationTime` and `keys` are the members of a browser's `PushSubscription.toJSON()`.
    private enum CodingKeys: String, CodingKey {
        case value, kind, environment, topic, expiresAt, p256dh, auth
        case endpoint, expirationTime, keys
    }

    private typealias Fields = KeyedDecodingContainer<CodingKeys>

    /// Does not throw: a field that cannot be read becomes the token's fault or a warning.
    init(from decoder: any Decoder) throws {
        var warnings: [Fault] = []
        do {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            let expiresAt = Self.read(&warnings) { () throws(Fault) in try Self.expiry(fields) }
            let address = try Self.address(fields)
            let keys = Self.read(&warnings) { () throws(Fault) in try Self.keys(fields, of: address.kind) }
            listed = .success(Listed(address: address, expiresAt: expiresAt, keys: keys))
        } catch let fault as Fault {
            listed = .failure(fault)
        } catch {
            listed = .failure(
                Fault(
                    "invalid_field",
                    "a token must be an object with a value and, if present, kind, environment and topic, all text"
                ))
        }
        self.warnings = warnings
    }

    /// Notes a field that cannot be read as a warning, and leaves it out.
    private static func read<Value>(
        _ warnings: inout [Fault], _ read: () throws(Fault) -> Value?
    ) -> Value? {
        do {
            return try read()
        } catch {
            warnings.append(error)
            return nil
        }
    }

    private static func expiry(_ fields: Fields) throws(Fault) -> Instant? {
        let name = fields.contains(.expiresAt) ? CodingKeys.expiresAt : .expirationTime
        do {
            return try fields.decodeIfPresent(PostedInstant.self, forKey: name)?.instant
        } catch {
            let postedName = name == .expiresAt ? "expires_at" : "expirationTime"
            throw Fault(
                "invalid_instant",
                "\(postedName) \(PostedInstant.requirement); the token is registered without an expiry")
        }
    }

    /// The keys of a Web Push subscription: next to the value, or in `keys` as browsers write them.
    private static func keys(_ fields: Fields, of kind: TokenKind) throws(Fault) -> WebPushKeys? {
        let texts: (p256dh: String?, auth: String?)
        do {
            let place =
                try fields.contains(.keys) && !fields.decodeNil(forKey: .keys)
                ? try fields.nestedContainer(keyedBy: CodingKeys.self, forKey: .keys) : fields
            texts = (
                try place.decodeIfPresent(String.self, forKey: .p256dh),
                try place.decodeIfPresent(String.self, forKey: .auth)
            )
        } catch {
            throw Fault(
                "invalid_keys", "keys must be an object with p256dh and auth, both text; \(withoutKeys)")
        }
        guard kind == .webPush || texts == (nil, nil) else {
            throw Fault("invalid_keys", "only tokens of kind web_push have keys; \(withoutKeys)")
        }
        do throws(WebPushKeys.Fault) {
            return try .read(p256dh: texts.p256dh, auth: texts.auth)
        } catch {
            throw Fault("invalid_keys", "\(error.advice); \(withoutKeys)")
        }
    }

    private static let withoutKeys = "the token is registered without them"

    private static func address(_ fields: Fields) throws -> TokenAddress {
        let isSubscription = fields.contains(.endpoint) && !fields.contains(.value)
        let kindName =
            try fields.decodeIfPresent(String.self, forKey: .kind)
            ?? (isSubscription ? TokenKind.webPush : .alert).rawValue
        guard let namedKind = TokenKind(named: kindName) else {
            throw Fault("invalid_field", "a token's kind must be one of \(TokenKind.list)")
        }
        // A name such as apns_sandbox says both.
        let named = Provider.read(kindName)?.environment
        var environment = named ?? .production
        if let name = try fields.decodeIfPresent(String.self, forKey: .environment) {
            guard let posted = Environment(posted: name), posted == named ?? posted else {
                throw Fault(
                    "invalid_field",
                    "a token's environment must be production or sandbox, as in its kind if that names one")
            }
            environment = posted
        }
        let topic = try fields.decodeIfPresent(String.self, forKey: .topic)?.canonicalName ?? ""
        guard topic.isStorable else {
            throw Fault(
                "too_long",
                "a token's topic may not be longer than \(FieldLimits.text) characters or contain a NUL "
                    + "character")
        }
        let kind = namedKind.refined(byTopic: topic)
        let value = try fields.decode(String.self, forKey: isSubscription ? .endpoint : .value)
        switch TokenValue.read(value, issuer: kind.provider) {
        case .success(let value):
            return TokenAddress(
                provider: kind.provider, environment: environment, topic: topic,
                kind: kind.refined(byValue: value.text),
                value: value.canonical, text: value.text)
        case .failure(let fault):
            throw Fault(
                "invalid_value", "the value is not a token of kind \(kind.rawValue): it \(fault.advice)")
        }
    }
}

extension [PostedToken] {
    /// The tokens that are not registered, with their place in the list.
    var errors: [JSONValue] {
        enumerated().compactMap { index, token in
            guard case .failure(let fault) = token.listed else { return nil }
            return fault.document(index)
        }
    }

    var warnings: [JSONValue] {
        enumerated().flatMap { index, token in token.warnings.map { $0.document(index) } }
    }
}

extension PostedToken.Fault {
    fileprivate func document(_ index: Int) -> JSONValue {
        ["code": .string(code), "detail": .string(detail), "index": .integer(Int64(index))]
    }
}
