internal import Documents
internal import Instants
internal import TokenLifecycle

/// The documents of the feeds, written by hand: ten thousand tokens per document are too many for an encoder.
enum FeedDocument {
    /// `{"tokens":[…],"changes_after":17,"next_cursor":"…"}`; the cursor is absent at the end.
    static func tokens(_ page: TokenFeed.Page, next: String?) -> [UInt8] {
        var json = JSONBytes(capacity: 64 + page.tokens.count * 400)
        json.raw(#"{"tokens":["#)
        for (position, token) in page.tokens.enumerated() {
            json.raw(position == 0 ? "{" : ",{")
            json.member("token_id", token.tokenID)
            json.member("value", token.value)
            json.member("provider", token.provider)
            json.member("kind", token.kind)
            json.member("environment", token.environment)
            json.member("topic", token.topic)
            json.member("state", token.state)
            json.member("device_id", token.deviceID)
            json.member("account", token.account)
            json.member("registered_at", token.registeredAt?.rfc3339)
            if let expiresAt = token.expiresAt { json.member("expires_at", expiresAt.rfc3339) }
            json.raw("}")
        }
        json.raw("]")
        json.member("changes_after", page.changesAfter)
        if let next { json.member("next_cursor", next) }
        json.raw("}")
        return json.bytes
    }

    /// `{"changes":[…],"next_after":17}`; if there are no changes, the number is the one in the request. Changes of unproven
    /// tokens are left out, and `next_after` passes them.
    static func changes(_ changes: [FedChange], after: Int64) -> [UInt8] {
        var json = JSONBytes(capacity: 64 + changes.count * 400)
        json.raw(#"{"changes":["#)
        for (position, change) in changes.lazy.filter({ !$0.isUnproven }).enumerated() {
            json.raw(position == 0 ? "{" : ",{")
            json.member("transition_id", change.transitionID)
            json.member("at", change.at.rfc3339)
            json.member("from", change.from)
            json.member("to", change.to)
            json.member("rule", change.rule)
            json.member("token_id", change.tokenID)
            json.member("value", change.value)
            json.member("provider", change.provider)
            json.member("kind", change.kind)
            json.member("environment", change.environment)
            json.member("topic", change.topic)
            json.member("device_id", change.deviceID)
            json.raw("}")
        }
        json.raw("]")
        json.member("next_after", changes.last?.transitionID ?? after)
        json.raw("}")
        return json.bytes
    }
}
