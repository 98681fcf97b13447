public import Documents

extension TokenStory {
    /// `{"story":"token",…}`. Stable; members may be added.
    ///
    /// - `app`, `time_zone`, `as_of`.
    /// - `token`: `token_id`, `fingerprint` (64 hex digits; the value itself is never included), `provider`, `environment`,
    ///   `topic`, `kind`, `state` (active, suspect, stale, retired), `cause` (a rule; null if active), `state_changed_at`,
    ///   `successor_token_id`, `has_value` (false once erased), `holds_slot`, `device_id`, `first_seen_at` and
    ///   `last_registered_at`, `last_accepted_at`, `first_rejected_at`, `last_rejected_at` (null if never), `last_sign_of_life_at`.
    /// - `reason`: a sentence about why it is in its state; `advice`; `way_back`: the condition
    ///   under which it becomes active, null if it is.
    /// - `chain`: the tokens that held its slot one after the other, including itself; `same_value`:
    ///   the same value under other environments and topics. Both have the shape of `token`.
    /// - `other_addresses`: `provider`, `environment` and `topic` that responses named instead of the registered ones, `responses`,
    ///   `last_said_at`, `last_accepted_at`, `last_rejected_at` (send times; null if never), `last_status`, `last_reason`.
    /// - `ledger`: `earlier_count`, the number of rows left out, and `transitions` in time order:
    ///   `transition_id`, `token_id`, `at`, `from` (null if not known before), `to`, `rule`, `run_id`,
    ///   `evidence` (as recorded, snake_case), `sentence` (the rule's), `evidence_sentences`.
    /// - `pushes`: `since`, and `sent` in time order: `notification_id`, `sent_at`, `token_id`, `response` (`provider`, `status`,
    ///   `reason` unchanged, `class`, `environment`, `topic`, `push_type`, `priority`, `campaign`, `variant`; null if none is
    ///   on record), `token_invalid_since` and the other facts that a response states (sql/lists.txt), one boolean each for
    ///   `accepted`, `arrived`, `presented`, `clicked`, `dismissed`, `recalled`, `local`, the delays `…_after_ms` (null if not
    ///   reported), `action`, `rejection_classes`.
    ///
    /// Instants are RFC 3339 in `time_zone`. Sentences are for people; programs should use `rule` and `evidence`.
    public var document: JSONValue {
        let clock = scope.clock
        return .object(
            scope.heading("token") + [
                .init("token", token.document(clock)),
                .init("reason", .optional(lastChange?.words.sentence)),
                .init("advice", .string(token.advice(names))), .init("way_back", .optional(token.wayBack)),
                .init("chain", .array(chain.map { $0.document(clock) })),
                .init("same_value", .array(sameValue.map { $0.document(clock) })),
                .init("other_addresses", .array(otherAddresses.map { $0.document(clock) })),
                .init("ledger", ledger.document(clock, names)), .init("pushes", scope.pushes(pushes)),
            ])
    }
}

extension OtherAddress {
    fileprivate func document(_ clock: StoryClock) -> JSONValue {
        [
            "environment": .string(environment), "last_accepted_at": clock.document(lastAcceptedAt),
            "last_reason": .string(lastReason), "last_rejected_at": clock.document(lastRejectedAt),
            "last_said_at": clock.document(lastSaidAt), "last_status": .integer(Int64(lastStatus)),
            "provider": .string(provider), "responses": .integer(responses), "topic": .string(topic),
        ]
    }
}
