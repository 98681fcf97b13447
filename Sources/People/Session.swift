internal import Crypto
internal import Foundation
public import Instants
internal import PostgresClient
internal import Trust

/// How a person signed in.
public enum SignInMethod: String, Sendable {
    case passphrase
    case link
    case proxy
}

/// A browser in which a person is signed in, as shown to that person.
public struct SessionRecord: Sendable {
    public let id: Int64
    public let method: SignInMethod
    public let address: String
    /// The browser, as it names itself.
    public let userAgent: String
    public let startedAt: Instant
    /// To the minute.
    public let lastSeenAt: Instant

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.get("session_id")
        // The schema allows these three only.
        method = SignInMethod(rawValue: try row.get("method")) ?? .proxy
        address = try row.get("address")
        userAgent = try row.get("user_agent")
        startedAt = try row.get("started_at")
        lastSeenAt = try row.get("last_seen_at")
    }
}

/// The session of a request.
public struct Session: Sendable {
    /// The person with the grants as they are now.
    public var person: Person
    public let record: SessionRecord
    /// What every form of this session contains, so that no other site can submit one. It does not reveal the session's secret.
    public let formToken: String

    public var startedAt: Instant { record.startedAt }

    /// Compares in constant time.
    public func accepts(formToken: String) -> Bool {
        isEqualInConstantTime(formToken, self.formToken)
    }

    /// Proves that a text in the address of a page was written by the server for this session.
    public func signature(of text: String) -> String {
        let key = SymmetricKey(data: Data(formToken.utf8))
        return Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64URL
    }

    /// Compares in constant time.
    public func hasSigned(_ text: String, _ signature: String) -> Bool {
        isEqualInConstantTime(signature, self.signature(of: text))
    }
}
