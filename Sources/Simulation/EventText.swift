internal import Basics

/// Writes registrations and events as clients do, with all the liberties that the interface allows.
struct EventText {
    let phone: Phone
    let settings: SimulationSettings

    /// The body of `PUT /v1/devices/{device_id}`.
    func registration(_ registration: PlannedRegistration, _ random: inout SeededRandom) -> [JSONValue.Member]
    {
        let (traits, software) = (phone.traits, registration.software)
        return members([
            "platform": "ios", "tokens": .array(tokens(of: registration, &random)),
            "permission": .string(software.permission.rawValue),
            "app_version": .string(software.build.version), "os_version": .string(software.osVersion),
            "language": .string(traits.language), "time_zone": .string(traits.timeZone),
            "model": .string(traits.model), "account": traits.account.map(JSONValue.string),
            "tags": (traits.tags.isEmpty ? nil : traits.tags).map { .array($0.map(JSONValue.string)) },
            "registered_at": .integer(registration.at),
        ])
    }

    private func tokens(of registration: PlannedRegistration, _ random: inout SeededRandom) -> [JSONValue] {
        guard let position = registration.token else { return [] }
        let token = phone.tokens[position]
        return [
            [
                "value": .string(spelled(token.value, &random)), "kind": "alert",
                "environment": .string(token.registeredIn.environment),
                "topic": .string(token.registeredIn.topic),
            ]
        ]
    }

    /// A response as the sender posts it.
    func response(
        _ response: PlannedResponse, to notification: PlannedNotification, _ random: inout SeededRandom
    ) -> [JSONValue.Member] {
        let (campaign, token) = (notification.campaign, phone.tokens[notification.token])
        var event = opened("response", notification)
        event += members([
            "provider": "apns", "status": .integer(response.reason.status),
            "reason": response.reason.reason.map(JSONValue.string),
            "timestamp": response.rejectedAt.map(JSONValue.integer),
            "token": .string(spelled(token.value, &random)), "topic": .string(token.addressedIn.topic),
        ])
        if !campaign.reliesOnDefaults {
            event += members([
                "environment": .string(token.addressedIn.environment),
                "push_type": .string(campaign.pushType), "priority": .integer(campaign.priority),
                "mutable_content": .bool(campaign.mutableContent),
                "expires_at": .integer(notification.sentAt + .hours(24)),
            ])
        }
        event += members([
            "collapse_id": campaign.collapseID.map(JSONValue.string), "sender": .string(campaign.sender),
            "campaign": campaign.key.map(JSONValue.string),
            "variant": notification.variant.map(JSONValue.string),
            "sent_at": sendInstant(of: notification, &random),
        ])
        if notification.wakesApp { event += members(["content_available": true]) }
        return event
    }

    /// An arrival, presentation, click or dismissal as the device posts it.
    func sighting(
        _ sighting: Sighting, of notification: PlannedNotification, _ random: inout SeededRandom
    ) -> [JSONValue.Member] {
        let (skew, software) = (phone.traits.clockSkew, sighting.software)
        let category = sighting.kind == .arrival ? nil : notification.campaign.category
        var event = opened(sighting.kind.rawValue, notification)
        event += members([
            "occurred_at": WireInstant.written(sighting.occurredAt + skew, &random),
            "device_id": sighting.installation.map { .string(phone.installations[$0].text) },
            "app_version": .string(software.build.version), "os_version": .string(software.osVersion),
            "language": .string(phone.traits.language), "category": category.map(JSONValue.string),
            "action": sighting.action.map(JSONValue.string),
            "app_state": sighting.appState.map(JSONValue.string),
        ])
        if sighting.action == "reply" { event += members(["has_text": true]) }
        if settings.reportsDeviceClock {
            event += members(["reported_at": WireInstant.written(sighting.postedAt + skew, &random)])
        }
        return event + members(["sent_at": sendInstant(of: notification, &random)])
    }

    /// The sender's recall.
    func recall(
        of notification: PlannedNotification, at instant: Int64, _ random: inout SeededRandom
    ) -> [JSONValue.Member] {
        var event = opened("recall", notification)
        event += members(["occurred_at": WireInstant.written(instant, &random)])
        event += members(["sent_at": sendInstant(of: notification, &random)])
        return event
    }

    private func opened(_ type: String, _ notification: PlannedNotification) -> [JSONValue.Member] {
        members(["type": .string(type), "notification_id": .string(notification.id.text)])
    }

    /// A version 4 id does not contain a time, so every event of the notification must.
    private func sendInstant(
        of notification: PlannedNotification, _ random: inout SeededRandom
    ) -> JSONValue? {
        guard notification.campaign.usesVersionFourIDs else { return .none }
        return WireInstant.written(notification.sentAt, &random)
    }

    /// Some clients write tokens in upper case.
    private func spelled(_ token: String, _ random: inout SeededRandom) -> String {
        random.chance(0.05) ? token.uppercased() : token
    }

    /// Members in this order; absent values are left out.
    private func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> [JSONValue.Member] {
        pairs.compactMap { name, value in value.map { JSONValue.Member(name, $0) } }
    }
}

/// The ways in which clients write an instant.
enum WireInstant {
    /// Mostly RFC 3339 in UTC, sometimes RFC 3339 with an offset, sometimes Unix milliseconds.
    static func written(_ instant: Int64, _ random: inout SeededRandom) -> JSONValue {
        switch random.below(100) {
        case 0..<80: .string(text(instant))
        case 80..<88: .string(text(instant, offsetHours: 2))
        default: .integer(instant)
        }
    }

    /// RFC 3339 with milliseconds, such as `2026-03-01T08:15:00.250Z` or `2026-03-01T10:15:00.250+02:00`.
    private static func text(_ instant: Int64, offsetHours: Int64 = 0) -> String {
        let local = Instant(millisecondsSinceEpoch: instant + .hours(offsetHours)).rfc3339
        return offsetHours == 0 ? local : "\(local.dropLast())+0\(offsetHours):00"
    }
}
