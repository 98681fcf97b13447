internal import DeliveryModel

extension ImportState {
    /// A token, as it is in the database and as the lines leave it.
    struct Entry {
        let provider: String
        let environment: Environment
        let fingerprint: [UInt8]
        var topic: String
        var kind: TokenKind
        /// Its id is 0 if it is new.
        var token: Token
        /// The token in the database; `nil` if it is new.
        let before: Token?
        /// The time of its death, if it is retired.
        var diedAt: Instant?
        var isErased = false
        /// The earliest registration of a new token in the table.
        var firstSeenAt: Instant?
        /// The value as known, or as the first line that registered it spelled it.
        var text: String?
        /// Whether a line registered it.
        var isRegistered = false
        /// Whether no feed contains it.
        var isUnproven = false
        /// The keys of a Web Push subscription, as known or as the last line with keys left them.
        var keys: WebPushKeys?
        /// The position of the entry that took its slot.
        var successor: Int?

        /// Whether feeds say the same of both, except for state and installation.
        func isFed(as other: Entry) -> Bool {
            topic == other.topic && kind == other.kind && text == other.text && keys == other.keys
                && isUnproven == other.isUnproven
        }

        func name(under topic: String = "") -> Name {
            Name(provider: provider, environment: environment, fingerprint: fingerprint, topic: topic)
        }
    }
}
