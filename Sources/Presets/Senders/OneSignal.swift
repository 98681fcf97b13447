internal import Basics

extension Preset {
    /// OneSignal's Event Streams: one request per event, with a body that the user writes in Liquid. An item
    /// in the form of `POST /v1/events` passes as it is. If its `type` is OneSignal's `event.kind`, one body
    /// does for all kinds of events; that of OneSignal's own example is read, too.
    ///
    /// `message.id` is one per message, and `event.subscription_id`, a UUID, is the device
    /// (documentation.onesignal.com/docs/en/event-streams-data). OneSignal names no push tokens.
    public static let onesignal = Preset(
        name: "onesignal",
        setup: { url, key in
            """
            In OneSignal: Data > Event Streams > New Event Stream.

              Events  message.push.sent, received, clicked, failed
              URL     \(url)
              Header  Authorization: Bearer \(key)
              Body    Custom body:
              {"type": "{{ event.kind }}", "message_id": "{{ message.id }}", "device_id": "{{ event.subscription_id }}",
               "occurred_at": "{{ event.datetime }}", "reason": "{{ event.data.failure_reason }}", "campaign": "{{ message.template_id }}"}

            Any body in the form of POST /v1/events works as well.

            """
        },
        reader: { post in
            RecordReader(post.body, mostItems: post.mostItems) { OneSignalEvent($0).items }.reading
        })
}

private struct OneSignalEvent {
    let posted: PostedJSON

    init(_ posted: PostedJSON) { self.posted = posted }

    private static let ownTypes: Set = [
        "response", "arrival", "presentation", "click", "dismissal", "recall",
    ]

    /// `nil` for events of other channels, and for those that have no outcome of a push.
    var items: [PresetItem]? {
        if isUnexpanded(posted) {
            return [
                .unread(
                    "unread_post",
                    "OneSignal posted the template itself, such as {{ event.kind }}: choose the custom body of an Event Stream, where Liquid is expanded",
                    posted)
            ]
        }
        guard let kind = field("kind", "event.kind", "type") else {
            return [
                .unread(
                    "unknown_type", "type is missing: write \"type\": \"{{ event.kind }}\" into the body",
                    posted)
            ]
        }
        if Self.ownTypes.contains(kind) { return [.event(Array(posted.written.utf8))] }
        guard kind.hasPrefix("message.") else {
            return [
                .unread(
                    "unknown_type", "type must be a type of POST /v1/events, or OneSignal's {{ event.kind }}",
                    posted)
            ]
        }
        guard kind.hasPrefix("message.push."), kind != "message.push.unsubscribed" else { return nil }
        return [push(String(kind.dropFirst("message.push.".count)))]
    }

    private func isUnexpanded(_ value: PostedJSON) -> Bool {
        switch value {
        case .string(let text): text.contains("{{") && text.contains("}}")
        case .array(let elements): elements.contains(where: isUnexpanded)
        case .object(let members): members.contains { isUnexpanded($0.value) }
        default: false
        }
    }

    /// The first member of these names, also in the objects of OneSignal's example.
    private func field(_ names: String...) -> String? {
        let objects = [posted, posted["Event Data"], posted["Message Data"]].compactMap { $0 }
        for name in names {
            for object in objects {
                if let text = object[name]?.text { return text }
            }
        }
        return nil
    }

    private func push(_ event: String) -> PresetItem {
        guard let messageID = field("message_id", "message.id") else {
            return .unread(
                "missing_notification_id",
                "message_id is missing or empty: write \"message_id\": \"{{ message.id }}\"; it is empty 30 days after the message",
                posted)
        }
        guard let deviceID = field("device_id", "event.subscription_id") else {
            return .unread(
                "missing_token", "device_id is missing: write \"device_id\": \"{{ event.subscription_id }}\"",
                posted)
        }
        guard let time = time else {
            return .unread(
                "invalid_instant", "occurred_at is missing: write \"occurred_at\": \"{{ event.datetime }}\"",
                posted)
        }
        switch event {
        case "sent", "failed": return response(event, messageID, deviceID, time)
        case "received": return report("arrival", messageID, deviceID, time)
        case "clicked": return report("click", messageID, deviceID, time)
        default:
            return .unread(
                "unknown_type", "the event of a push must be sent, received, clicked or failed", posted)
        }
    }

    /// `event.datetime`, or `event.timestamp` in seconds.
    private var time: Instant? {
        guard let text = field("occurred_at", "event.datetime", "event.timestamp") else { return nil }
        return Instant(rfc3339: text) ?? PostedJSON.string(text).secondsSinceEpoch
    }

    private func response(_ event: String, _ messageID: String, _ deviceID: String, _ time: Instant)
        -> PresetItem
    {
        var response = ComposedEvent("response")
        response.set("message_id", id: messageID, sentAt: time)
        response.set("device_id", deviceID)
        response.set("provider", "onesignal")
        response.set("status", event == "sent" ? 200 : 0)
        if event == "failed" {
            response.set("reason", field("reason", "event.data.failure_reason") ?? "failed")
        }
        response.set("campaign", field("campaign", "message.template_id"))
        return response.item
    }

    private func report(_ type: String, _ messageID: String, _ deviceID: String, _ time: Instant)
        -> PresetItem
    {
        var report = ComposedEvent(type)
        report.set("message_id", messageID)
        report.set("device_id", deviceID)
        if type == "arrival" { report.set("evidence", "provider") }
        report.set("occurred_at", time)
        return report.item
    }
}
