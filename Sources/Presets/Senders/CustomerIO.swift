internal import Basics

extension Preset {
    /// Customer.io's reporting webhooks (docs.customer.io/api/webhooks): one event per post, repeated for
    /// seven days while the response is not 2xx, and everything after it waits. Times are seconds.
    ///
    /// `delivery_id` is one per person, who may have several devices, so it is the id of a message; the app
    /// reads it as `CIO-Delivery-ID`. `device_id` of a recipient is the push token.
    public static let customerio = Preset(
        name: "customerio",
        setup: { url, key in
            """
            In Customer.io: Data & Integrations > Integrations > Reporting Webhooks > Add Reporting Webhook.

              Webhook endpoint  \(url)?key=\(key)
              Events            Push: sent, delivered, opened, clicked, bounced, dropped, failed, attempted
              Send frequency    every time

            Customer.io sends no header of yours, so the address contains the key.
            Its signing key, shown on the same page, is the preset's secret (landfall key import customerio): then
            unsigned posts are rejected.
            Metrics of e-mails, messages and people are ignored.

            The app reports clicks with the payload's CIO-Delivery-ID as message_id, and its device_id.

            """
        },
        reader: { post in
            if let secret = post.secret, let fault = post.customerIOFault(secret) {
                return PresetReading(items: [], answer: .json("{}"), fault: fault)
            }
            return RecordReader(post.body, mostItems: post.mostItems) { CustomerIOEvent($0).items }.reading
        })
}

extension PresetPost {
    /// What is wrong with the headers `X-CIO-Timestamp` and `X-CIO-Signature`. The latter is HMAC-SHA256 over
    /// `v0:timestamp:body` in hexadecimal, also after `v0=`. `nil` if nothing is.
    fileprivate func customerIOFault(_ secret: String) -> PresetFault? {
        guard let timestamp = headers["x-cio-timestamp"], let signature = headers["x-cio-signature"] else {
            return HookSignature.fault(
                "X-CIO-Timestamp and X-CIO-Signature are missing: Customer.io sends both")
        }
        let digits = signature.hasPrefix("v0=") ? signature.dropFirst(3) : Substring(signature)
        let text = Array("v0:\(timestamp):".utf8) + body
        guard let code = HookSignature.bytes(ofHex: digits),
            HookSignature.isValid(code, of: text, key: Array(secret.utf8))
        else {
            return HookSignature.fault(
                "the signature is wrong: the preset's secret must be the signing key of this reporting webhook"
            )
        }
        return HookSignature.isTimely(timestamp, now: now)
            ? nil : HookSignature.fault("the signature is too old, or this server's clock is wrong")
    }
}

private struct CustomerIOEvent {
    let posted: PostedJSON

    init(_ posted: PostedJSON) { self.posted = posted }

    /// `nil` for metrics of other channels, and of a push that has no outcome yet.
    var items: [PresetItem]? {
        guard let object = posted["object_type"]?.text, let metric = posted["metric"]?.text else {
            return [
                .unread(
                    "unread_post",
                    "object_type or metric is missing: post Customer.io's reporting webhooks here", posted)
            ]
        }
        guard object == "push", !Self.withoutOutcome.contains(metric) else { return nil }
        guard let id = posted["data"]?["delivery_id"]?.text else {
            return [.unread("missing_notification_id", "data.delivery_id is missing", posted)]
        }
        guard let time = posted["timestamp"]?.secondsSinceEpoch else {
            return [
                .unread(
                    "invalid_instant", "timestamp must be in seconds since 1970, as Customer.io posts it",
                    posted)
            ]
        }
        switch metric {
        case "delivered": return reports("arrival", id, time)
        case "opened", "clicked": return reports("click", id, time)
        case _ where Self.responses.contains(metric): return responses(metric, id, time)
        default:
            return [
                .unread(
                    "unknown_type",
                    "the metric of a push must be sent, delivered, opened, clicked, bounced, dropped, failed or attempted",
                    posted)
            ]
        }
    }

    /// A draft was not sent, and a conversion is of a person and not of a push.
    private static let withoutOutcome: Set = ["drafted", "converted", "unsubscribed"]
    private static let responses: Set = [
        "sent", "bounced", "dropped", "failed", "attempted", "undeliverable",
    ]

    private var tokens: [String] {
        (posted["data"]?["recipients"]?.elements ?? []).compactMap { $0["device_id"]?.text }
    }

    private func reports(_ type: String, _ id: String, _ time: Instant) -> [PresetItem] {
        guard !tokens.isEmpty else {
            return [
                .unread(
                    "missing_token",
                    "data.recipients names no device_id, so it is unknown which device this is about", posted)
            ]
        }
        return tokens.map { token in
            var event = ComposedEvent(type)
            event.set("message_id", id)
            if type == "arrival" { event.set("evidence", "provider") }
            event.set("provider", "customerio")
            event.set("token", token)
            event.set("occurred_at", time)
            return event.item
        }
    }

    /// A push that was never handed over names no device. It counts as an attempt without a token.
    private func responses(_ metric: String, _ id: String, _ time: Instant) -> [PresetItem] {
        guard !tokens.isEmpty else {
            var event = response(metric)
            event.set("notification_id", id: id, sentAt: time)
            event.set("channel", "customerio")
            return [event.item]
        }
        return tokens.map { token in
            var event = response(metric)
            event.set("message_id", id: id, sentAt: time)
            event.set("token", token)
            return event.item
        }
    }

    private func response(_ metric: String) -> ComposedEvent {
        var event = ComposedEvent("response")
        event.set("provider", "customerio")
        event.set("status", metric == "sent" ? 200 : 0)
        if metric != "sent" {
            event.set("reason", metric)
            event.set("error", posted["data"]?["failure_message"]?.text)
        }
        // What the push service said after `sent`.
        if ["bounced", "undeliverable"].contains(metric) { event.set("final", true) }
        event.set("provider_id", posted["data"]?["delivery_id"]?.text)
        event.set("campaign", campaign)
        return event
    }

    /// Such as `campaign 23`: Customer.io posts numbers, which are unique per kind.
    private var campaign: String? {
        for kind in ["campaign", "broadcast", "newsletter", "transactional_message"] {
            if let id = posted["data"]?["\(kind)_id"]?.text {
                return "\(kind.replacing("_", with: " ")) \(id)"
            }
        }
        return nil
    }
}
