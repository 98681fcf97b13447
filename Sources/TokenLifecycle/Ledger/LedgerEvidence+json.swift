internal import DeliveryModel
internal import Documents
internal import Foundation
internal import Instants

extension LedgerEvidence {
    /// The JSON of `evidence`, as its `Codable` conformance would write it. Written by hand, because every response that changes
    /// a token has one, and an encoder takes half as long as all other work for the response.
    func json() throws -> String {
        var json = JSONBytes(capacity: 256)
        json.raw("{")
        json.add("provider", provider)
        json.add("status", status.map(Int64.init))
        json.add("reason", reason)
        json.add("invalid_since", invalidSince)
        json.add("sent_at", sentAt)
        json.add("registered_at", registeredAt)
        json.add("accepted_at", acceptedAt)
        json.add("first_rejected_at", firstRejectedAt)
        if let knownInOtherEnvironment {
            json.member(
                "known_in_other_environment", document: (knownInOtherEnvironment ? "true" : "false").utf8)
        }
        try json.add("environment", document: environment)
        json.add("environment_verdict", environmentVerdict?.rawValue)
        try json.add("breaker", document: breaker)
        json.add("undone_rule", undoneRule)
        json.add("silent_since", silentSince)
        json.add("stale_since", staleSince)
        json.add("successor_token_id", successorTokenID)
        json.add("from_installation_id", fromInstallationID)
        json.add("to_installation_id", toInstallationID)
        json.add("source", source)
        json.raw("}")
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// Omits members that are `nil`.
extension JSONBytes {
    fileprivate mutating func add(_ name: StaticString, _ value: String?) {
        if let value { member(name, value) }
    }

    fileprivate mutating func add(_ name: StaticString, _ value: Int64?) {
        if let value { member(name, value) }
    }

    fileprivate mutating func add(_ name: StaticString, _ value: Instant?) {
        if let value { member(name, value.millisecondsSinceEpoch) }
    }

    /// Adds a member that only few rows have.
    fileprivate mutating func add(_ name: StaticString, document value: (some Encodable)?) throws {
        if let value { member(name, document: try JSONEncoder().encode(value)) }
    }
}
