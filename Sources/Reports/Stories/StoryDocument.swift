public import DeliveryModel
internal import Foundation

extension TokenStory {
    /// `{"story":"token",…}`. Stable; members may be added. Instants are RFC 3339 in `time_zone`, and null if
    /// the event never happened. Sentences are for people; programs should use `rule` and `evidence`.
    ///
    /// - `token`: `fingerprint` is 64 hex digits (the value itself is never included), `state` one of active,
    ///   suspect, stale and retired, `cause` a rule (null if active); `has_value` is false once it is erased.
    /// - `reason`: a sentence about why it is in its state; `way_back`: the condition under which it becomes
    ///   active, null if it is.
    /// - `chain`: the tokens that held its slot one after the other, including itself; `same_value`: the same
    ///   value under other environments and topics. Both have the shape of `token`.
    /// - `other_addresses`: the addresses that responses named instead of the registered one.
    /// - `ledger`: `earlier_count`, the number of rows left out, and `transitions` in time order: `from` is
    ///   null if the token was not known before, `evidence` as recorded, `sentence` the rule's.
    /// - `pushes`: `since`, and `sent` in time order: `answer` has the provider's words unchanged, null if
    ///   none is on record; delays are null if not reported.
    public var document: JSONValue {
        let clock = scope.clock
        return .object(
            scope.heading("token") + [
                .init("token", token.document(clock)), .init("reason", .optional(lastChange?.words.sentence)),
                .init("advice", .string(token.advice(names))), .init("way_back", .optional(token.wayBack)),
                .init("chain", chain) { $0.document(clock) },
                .init("same_value", sameValue) { $0.document(clock) },
                .init("other_addresses", otherAddresses) { $0.document(clock) },
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

extension DeviceStory {
    /// `{"story":"device",…}`, in the form of ``TokenStory/document``.
    ///
    /// - `device`: what is unknown is null; `claimed_tags` are without a proof.
    /// - `accounts`: by time; `is_verified` is false if only devices say so, `unbound_at` null while bound.
    public var document: JSONValue {
        let clock = scope.clock
        return .object(
            scope.heading("device") + [
                .init("device", device.document(clock)), .init("accounts", bindings) { $0.document(clock) },
                .init("tokens", tokens) { $0.document(clock) },
                .init("ledger", ledger.document(clock, names)), .init("pushes", scope.pushes(pushes)),
            ])
    }
}

extension DeviceProfile {
    fileprivate func document(_ clock: StoryClock) -> JSONValue {
        func known(_ text: String) -> JSONValue { text.isEmpty ? .null : .string(text) }
        return [
            "device_id": .string(deviceID.text), "installation_id": .integer(installationID),
            "platform": known(platform), "app_version": known(appVersion), "os_version": known(osVersion),
            "language": known(language), "device_time_zone": known(timeZone), "model": known(model),
            "permission": known(permission),
            "turned_off": turnedOff.map { .array($0.map { .string($0) }) } ?? .null,
            "registration_error": known(registrationError), "kit": known(kit),
            "missing_categories": .array(missingCategories.map { .string($0) }),
            "tags": .array(tags.map { .string($0) }),
            "claimed_tags": .array(claimedTags.map { .string($0) }), "has_credential": .bool(hasCredential),
            "first_registered_at": clock.document(firstRegisteredAt),
            "last_registered_at": clock.document(lastRegisteredAt),
            "last_sign_of_life_at": clock.document(lastSignOfLifeAt), "erased_at": clock.document(erasedAt),
        ]
    }
}

extension DeviceStory.Binding {
    fileprivate func document(_ clock: StoryClock) -> JSONValue {
        [
            "account": .string(account), "is_verified": .bool(isVerified),
            "bound_at": clock.document(boundAt), "unbound_at": clock.document(unboundAt),
        ]
    }
}

extension NotificationStory {
    /// `{"story":"notification",…}`, in the form of ``TokenStory/document``.
    ///
    /// - `notification`: as in `pushes`; `is_provisional`: true if no response has said when it was sent.
    /// - `device_id` and `token` to which it was sent, with the token's current state; null if unknown.
    /// - `measures`: the counters in which it is 1, by their names in reports; without a response,
    ///   `unmatched` or `local`.
    /// - `remarks`: sentences about contradictions, and about why it counts as it does.
    /// - `transitions`: what its response did to the token.
    public var document: JSONValue {
        let clock = scope.clock
        return .object(
            scope.heading("notification") + [
                .init("notification", push.document(clock)), .init("is_provisional", .bool(isProvisional)),
                .init("device_id", .optional(deviceID?.text)),
                .init("token", token.map { $0.document(clock) } ?? .null),
                .init("measures", countedAs) { .string($0) }, .init("remarks", remarks) { .string($0) },
                .init("transitions", consequences) { $0.document(clock, names) },
            ])
    }

    /// The names of the counters in which it is 1.
    public var countedAs: [String] { measures.map(\.rawValue) + unmatchedMeasures.map(\.rawValue) }
}

// The parts that the documents of all stories share. Instants are RFC 3339 in the time zone of the story,
// spans are milliseconds.

extension TokenProfile {
    func document(_ clock: StoryClock) -> JSONValue {
        [
            "token_id": .integer(tokenID), "fingerprint": .string(fingerprint),
            "provider": .string(provider), "environment": .string(environment), "topic": .string(topic),
            "kind": .string(kind), "state": .string(state), "cause": .optional(cause),
            "state_changed_at": clock.document(stateChangedAt), "successor_token_id": .optional(successorID),
            "has_value": .bool(hasValue), "holds_slot": .bool(holdsSlot),
            "device_id": .optional(deviceID?.text), "first_seen_at": clock.document(firstSeenAt),
            "last_registered_at": clock.document(lastRegisteredAt),
            "last_accepted_at": clock.document(lastAcceptedAt),
            "first_rejected_at": clock.document(firstRejectedAt),
            "last_rejected_at": clock.document(lastRejectedAt),
            "last_sign_of_life_at": clock.document(lastSignOfLifeAt),
        ]
    }
}

extension LedgerEntry {
    func document(_ clock: StoryClock, _ names: StoryNames) -> JSONValue {
        [
            "transition_id": .integer(transitionID), "token_id": .integer(tokenID), "at": clock.document(at),
            "from": .optional(fromState), "to": .string(toState), "rule": .string(ruleName),
            "run_id": .optional(runID), "evidence": evidence.document(clock),
            "sentence": .string(words.sentence),
            "evidence_sentences": .array(evidenceSentences(clock, names).map { .string($0) }),
        ]
    }
}

extension LedgerExtract {
    func document(_ clock: StoryClock, _ names: StoryNames) -> JSONValue {
        [
            "earlier_count": .integer(earlierCount),
            "transitions": .array(entries.map { $0.document(clock, names) }),
        ]
    }
}

extension PushRecord {
    func document(_ clock: StoryClock) -> JSONValue {
        func has(_ name: String, _ bit: DeliveryState) -> JSONValue.Member {
            .init(name, .bool(state.contains(bit)))
        }
        func after(_ name: String, _ span: Span?) -> JSONValue.Member {
            .init(name, .optional(span?.milliseconds))
        }
        let push: [JSONValue.Member] = [
            .init("notification_id", .string(notificationID.text)), .init("sent_at", clock.document(sentAt)),
            .init("token_id", .optional(tokenID)), .init("answer", response.map { $0.document } ?? .null),
        ]
        let outcome = [
            has("accepted", .accepted), has("arrived", .arrived), has("presented", .presented),
            has("clicked", .clicked), has("dismissed", .dismissed), has("recalled", .recalled),
            has("local", .local), has("misdirected", .misdirected), after("arrived_after_ms", arrivedAfter),
            after("presented_after_ms", presentedAfter), after("clicked_after_ms", clickedAfter),
            after("dismissed_after_ms", dismissedAfter),
        ]
        let evidence: [JSONValue.Member] = [
            .init("kit", .optional(kit)), .init("witness", .optional(witness?.rawValue)),
        ]
        let classes = JSONValue.Member("rejection_classes", rejectionClasses) { .string($0.rawValue) }
        let first = push + stated(by: [.response, .counted], clock) + outcome
        let last = stated(by: [.click, .device], clock) + evidence + stated(by: [.arrival], clock)
        return .object(first + last + [classes])
    }

    private func stated(by sources: [DeliveryFact.Source], _ clock: StoryClock) -> [JSONValue.Member] {
        DeliveryFact.all.filter { sources.contains($0.source) }.map { fact -> JSONValue.Member in
            let name = fact.column == "rejected_at" ? "token_invalid_since" : fact.column
            return switch fact.access {
            case .text(let read, _): .init(name, .optional(read(facts)))
            case .flag(let read, _): .init(name, read(facts).map { .bool($0) } ?? .null)
            case .instant(let read, _): .init(name, clock.document(read(facts)))
            }
        }
    }
}

extension PushRecord.Response {
    fileprivate var document: JSONValue {
        [
            "provider": .string(provider), "status": .integer(status), "reason": .string(reason),
            "class": .string(outcomeClass), "environment": .string(environment), "topic": .string(topic),
            "push_type": .string(pushType), "priority": .string(priority),
            "campaign": campaign.isEmpty ? .null : .string(campaign),
            "variant": variant.isEmpty ? .null : .string(variant),
        ]
    }
}

extension UUID {
    /// In lower case, as everywhere.
    var text: String { uuidString.lowercased() }
}

extension StoryScope {
    /// The first members of every document.
    func heading(_ story: String) -> [JSONValue.Member] {
        [
            .init("story", .string(story)), .init("app", .string(app.slug)),
            .init("time_zone", .string(clock.timeZone.name)), .init("as_of", clock.document(clock.now)),
        ]
    }

    func pushes(_ pushes: [PushRecord]) -> JSONValue {
        var members: [JSONValue.Member] = [.init("since", clock.document(pushesSince))]
        if !senders.isEmpty { members.append(.init("senders", senders) { .string($0) }) }
        members.append(.init("sent", pushes) { $0.document(clock) })
        return .object(members)
    }
}
