internal import Basics

/// Rows of FCM's message data in BigQuery (firebase.google.com/docs/cloud-messaging/understand-delivery,
/// BigQuery data export), exported as JSON.
///
/// `message_id` is FCM's own id of one push: the end of the name that the API returns
/// (`projects/shop/messages/0:17…`), and what the app on the device sees. A row names no token, only the
/// installation; so it counts without one.
enum FCMExport {
    static func read(_ line: [UInt8]) -> [PresetItem] {
        guard let row = JSONCursor.value(in: line) else { return [.malformed(line)] }
        return (row.elements ?? [row]).map(item)
    }

    private static func item(_ row: PostedJSON) -> PresetItem {
        guard let event = row["event"]?.text else {
            return .unread("unread_post", "event is missing: export the table of message data", row)
        }
        guard let id = row["message_id"]?.text else {
            return .unread("missing_notification_id", "message_id is missing", row)
        }
        guard let time = row["event_timestamp"].flatMap(instant) else {
            return .unread(
                "invalid_instant",
                "event_timestamp must be as BigQuery exports it: 2026-11-27 16:04:05.123456 UTC", row)
        }
        if event == "MESSAGE_DELIVERED" {
            var arrival = ComposedEvent("arrival")
            arrival.set("notification_id", id)
            arrival.set("evidence", "provider")
            arrival.set("occurred_at", time)
            return arrival.item
        }
        guard let said = responses[event] else {
            return .unread(
                "unknown_type", "this event of FCM is not known: it is counted once Landfall knows it", row)
        }
        var response = ComposedEvent("response")
        response.set("notification_id", id: id, sentAt: time)
        response.set("provider", "fcm")
        response.set("status", said.status)
        response.set("reason", said.reason)
        response.set("channel", row["topic"]?.text ?? "bigquery")
        response.set("collapse_id", row["collapse_key"]?.text)
        response.set("provider_id", id)
        response.set("campaign", row["analytics_label"]?.text)
        return response.item
    }

    /// The statuses and words of FCM's API for these events.
    private static let responses: [String: (status: Int64, reason: String?)] = [
        "MESSAGE_ACCEPTED": (200, nil),
        "MISSING_REGISTRATIONS": (400, "MissingRegistration"),
        "UNAUTHORIZED_REGISTRATION": (403, "SENDER_ID_MISMATCH"),
        "MESSAGE_RECEIVED_INTERNAL_ERROR": (500, "INTERNAL"),
        "MISMATCH_SENDER_ID": (403, "SENDER_ID_MISMATCH"),
        "QUOTA_EXCEEDED": (429, "QUOTA_EXCEEDED"),
        "INVALID_REGISTRATION": (400, "InvalidRegistration"),
        "INVALID_PACKAGE_NAME": (400, "InvalidPackageName"),
        "INVALID_APNS_CREDENTIAL": (401, "InvalidApnsCredential"),
        "INVALID_PARAMETERS": (400, "InvalidParameters"),
        "PAYLOAD_TOO_LARGE": (400, "MessageTooBig"),
        "AUTHENTICATION_ERROR": (401, "UNAUTHENTICATED"),
        "INVALID_TTL": (400, "InvalidTtl"),
    ]

    /// `bq extract` writes `2026-11-27 16:04:05.123456 UTC`, `bq query` leaves out the zone, and the API
    /// returns seconds.
    private static func instant(_ value: PostedJSON) -> Instant? {
        guard let text = value.text else { return nil }
        let time = text.hasSuffix(" UTC") ? String(text.dropLast(4)) : text
        return Instant(rfc3339: time + "Z") ?? Instant(rfc3339: time) ?? value.secondsSinceEpoch
    }
}
