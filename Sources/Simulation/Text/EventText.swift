internal import Documents
internal import SeededRandom

/// Writes registrations and events as clients do, with all the liberties that the interface allows.
struct EventText {
    let phone: Phone
    let settings: SimulationSettings

    /// The body of `PUT /v1/devices/{device_id}`.
    func registration(_ registration: PlannedRegistration, _ random: inout SeededRandom) -> [JSONValue.Member]
    {
        var body: [JSONValue.Member] = []
        body.add("platform", "ios")
        body.add("tokens", .array(tokens(of: registration, &random)))
        body.add("permission", registration.software.permission.rawValue)
        body.add("app_version", registration.software.build.version)
        body.add("os_version", registration.software.osVersion)
        body.add("language", phone.traits.language)
        body.add("time_zone", phone.traits.timeZone)
        body.add("model", phone.traits.model)
        body.add("account", phone.traits.account)
        if !phone.traits.tags.isEmpty { body.add("tags", .array(phone.traits.tags.map(JSONValue.string))) }
        body.add("registered_at", registration.at)
        return body
    }

    private func tokens(of registration: PlannedRegistration, _ random: inout SeededRandom) -> [JSONValue] {
        guard let position = registration.token else { return [] }
        let token = phone.tokens[position]
        var entry: [JSONValue.Member] = []
        entry.add("value", spelled(token.value, &random))
        entry.add("kind", "alert")
        entry.add("environment", token.registeredIn.environment)
        entry.add("topic", token.registeredIn.topic)
        return [.object(entry)]
    }

    /// A response as the sender posts it.
    func response(
        _ response: PlannedResponse, to notification: PlannedNotification, _ random: inout SeededRandom
    ) -> [JSONValue.Member] {
        let campaign = notification.campaign
        let token = phone.tokens[notification.token]
        var event = opened("response", notification)
        event.add("provider", "apns")
        event.add("status", response.reason.status)
        event.add("reason", response.reason.reason)
        event.add("timestamp", response.rejectedAt)
        event.add("token", spelled(token.value, &random))
        event.add("topic", token.addressedIn.topic)
        if !campaign.reliesOnDefaults {
            event.add("environment", token.addressedIn.environment)
            event.add("push_type", campaign.pushType)
            event.add("priority", campaign.priority)
            event.add("mutable_content", campaign.mutableContent)
        }
        event.add("collapse_id", campaign.collapseID)
        event.add("campaign", campaign.key)
        event.add("variant", notification.variant)
        addSendInstant(notification, to: &event, &random)
        return event
    }

    /// An arrival, presentation, click or dismissal as the device posts it.
    func sighting(
        _ sighting: Sighting, of notification: PlannedNotification, _ random: inout SeededRandom
    ) -> [JSONValue.Member] {
        var event = opened(sighting.kind.rawValue, notification)
        event.add("occurred_at", WireInstant.written(sighting.occurredAt + phone.traits.clockSkew, &random))
        event.add("device_id", sighting.installation.map { phone.installations[$0].text })
        event.add("app_version", sighting.software.build.version)
        event.add("os_version", sighting.software.osVersion)
        event.add("language", phone.traits.language)
        if sighting.kind != .arrival { event.add("category", notification.campaign.category) }
        event.add("action", sighting.action)
        event.add("app_state", sighting.appState)
        if sighting.action == "reply" { event.add("has_text", true) }
        if settings.reportsDeviceClock {
            event.add("reported_at", WireInstant.written(sighting.postedAt + phone.traits.clockSkew, &random))
        }
        addSendInstant(notification, to: &event, &random)
        return event
    }

    /// The sender's recall.
    func recall(
        of notification: PlannedNotification, at instant: Int64, _ random: inout SeededRandom
    ) -> [JSONValue.Member] {
        var event = opened("recall", notification)
        event.add("occurred_at", WireInstant.written(instant, &random))
        addSendInstant(notification, to: &event, &random)
        return event
    }

    private func opened(_ type: String, _ notification: PlannedNotification) -> [JSONValue.Member] {
        var event: [JSONValue.Member] = []
        event.add("type", type)
        event.add("notification_id", notification.id.text)
        return event
    }

    /// A version 4 id does not contain a time, so every event of the notification must.
    private func addSendInstant(
        _ notification: PlannedNotification, to event: inout [JSONValue.Member], _ random: inout SeededRandom
    ) {
        guard notification.campaign.usesVersionFourIDs else { return }
        event.add("sent_at", WireInstant.written(notification.sentAt, &random))
    }

    /// Some clients write tokens in upper case.
    private func spelled(_ token: String, _ random: inout SeededRandom) -> String {
        random.chance(0.05) ? token.uppercased() : token
    }
}

/// Members in the order in which they are added; absent values are left out.
extension [JSONValue.Member] {
    fileprivate mutating func add(_ name: String, _ value: JSONValue?) {
        if let value { append(JSONValue.Member(name, value)) }
    }

    fileprivate mutating func add(_ name: String, _ text: String?) { add(name, text.map(JSONValue.string)) }

    fileprivate mutating func add(_ name: String, _ number: Int64?) {
        add(name, number.map(JSONValue.integer))
    }

    fileprivate mutating func add(_ name: String, _ claim: Bool?) { add(name, claim.map(JSONValue.bool)) }
}
