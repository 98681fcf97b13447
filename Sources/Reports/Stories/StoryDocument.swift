internal import Access
internal import DeliveryModel
internal import Documents
internal import Foundation
internal import Instants

// The parts that the documents of all stories share. Instants are RFC 3339 in the time zone of the story, spans are milliseconds.

extension TokenProfile {
    func document(_ clock: StoryClock) -> JSONValue {
        [
            "token_id": .integer(tokenID), "fingerprint": .string(fingerprint),
            "provider": .string(provider), "environment": .string(environment), "topic": .string(topic),
            "kind": .string(kind), "state": .string(state), "cause": .optional(cause),
            "state_changed_at": clock.document(stateChangedAt), "successor_token_id": .optional(successorID),
            "has_value": .bool(hasValue), "holds_slot": .bool(holdsSlot),
            "device_id": .optional(deviceID?.text),
            "first_seen_at": clock.document(firstSeenAt),
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
        func milliseconds(_ span: Span?) -> JSONValue { .optional(span?.milliseconds) }
        let push: JSONValue = [
            "notification_id": .string(notificationID.text), "sent_at": clock.document(sentAt),
            "token_id": .optional(tokenID), "answer": response.map { $0.document } ?? .null,
        ]
        let outcome: JSONValue = [
            "accepted": .bool(state.contains(.accepted)), "arrived": .bool(state.contains(.arrived)),
            "presented": .bool(state.contains(.presented)), "clicked": .bool(state.contains(.clicked)),
            "dismissed": .bool(state.contains(.dismissed)), "recalled": .bool(state.contains(.recalled)),
            "local": .bool(state.contains(.local)), "misdirected": .bool(state.contains(.misdirected)),
            "arrived_after_ms": milliseconds(arrivedAfter),
            "presented_after_ms": milliseconds(presentedAfter),
            "clicked_after_ms": milliseconds(clickedAfter),
            "dismissed_after_ms": milliseconds(dismissedAfter),
        ]
        let source: JSONValue = ["kit": .optional(kit), "witness": .optional(witness?.rawValue)]
        let classes: JSONValue = ["rejection_classes": .array(rejectionClasses.map { .string($0.rawValue) })]
        let first = push.members + stated(by: [.response], clock) + outcome.members
        let last = stated(by: [.click, .device], clock) + source.members + stated(by: [.arrival], clock)
        return .object(first + last + classes.members)
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

extension JSONValue {
    fileprivate var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
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
        ["since": clock.document(pushesSince), "sent": .array(pushes.map { $0.document(clock) })]
    }
}
