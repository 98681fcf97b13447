internal import DeliveryModel
internal import Ingestion

/// One token of a registration as it was posted. Each has its own outcome: an invalid token affects neither
/// the others nor the rest of the registration.
struct PostedToken: Decodable {
    /// A token that can be registered.
    struct Listed {
        let address: TokenAddress
        let expiresAt: Instant?
    }

    /// Why a token is not registered.
    struct Fault: Error {
        let code: String
        let detail: String

        init(_ code: String, _ detail: String) { (self.code, self.detail) = (code, detail) }
    }

    let listed: Result<Listed, Fault>
    /// The field that was left out because it could not be read.
    let warning: Fault?

    private enum CodingKeys: String, CodingKey {
        case value, kind, environment, topic, expiresAt
    }

    /// Does not throw: a field that cannot be read becomes the token's fault or a warning.
    init(from decoder: any Decoder) throws {
        var expiresAt: Instant?
        var warning: Fault?
        do {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            do {
                expiresAt = try fields.decodeIfPresent(PostedInstant.self, forKey: .expiresAt)?.instant
            } catch {
                warning = Fault(
                    "invalid_instant",
                    "expires_at \(PostedInstant.requirement); the token is registered without an expiry")
            }
            let address = try Self.address(fields)
            listed = .success(Listed(address: address, expiresAt: expiresAt))
        } catch let fault as Fault {
            listed = .failure(fault)
        } catch {
            listed = .failure(
                Fault(
                    "invalid_field",
                    "a token must be an object with a value and, if present, kind, environment and topic, all text"
                ))
        }
        self.warning = warning
    }

    private static func address(_ fields: KeyedDecodingContainer<CodingKeys>) throws -> TokenAddress {
        let kindName = try fields.decodeIfPresent(String.self, forKey: .kind) ?? TokenKind.alert.rawValue
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
        switch TokenValue.read(try fields.decode(String.self, forKey: .value), issuer: kind.provider) {
        case .success(let value):
            return TokenAddress(
                provider: kind.provider, environment: environment, topic: topic, kind: kind,
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
        enumerated().compactMap { index, token in token.warning.map { $0.document(index) } }
    }
}

extension PostedToken.Fault {
    fileprivate func document(_ index: Int) -> JSONValue {
        ["code": .string(code), "detail": .string(detail), "index": .integer(Int64(index))]
    }
}
