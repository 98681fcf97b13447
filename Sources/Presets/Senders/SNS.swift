internal import Basics
internal import Foundation

extension Preset {
    /// Amazon SNS's delivery status of mobile push (SNS Developer Guide, Amazon SNS mobile app attributes),
    /// as CloudWatch Logs has it: alone, in an array, in the `logEvents` of a subscription, or in the Base64
    /// records of Amazon Data Firehose, whose response must repeat the `requestId`.
    ///
    /// SNS makes `messageId` when it publishes, so no payload contains it, and no device can report about it.
    public static let sns = Preset(
        name: "sns",
        setup: { url, key in
            """
            1. SNS: platform application > Delivery status. Set both IAM roles, and a sample rate of 100 % for successes.
            2. Data Firehose: a stream from Direct PUT to an HTTP endpoint, with
                 HTTP endpoint URL  \(url)?key=\(key)
                 Content encoding   disabled
                 Buffer size        1 MiB: a larger post is rejected with 413
                 Transform records  Decompress source records from Amazon CloudWatch Logs: on, and
                                    extract message fields only: on
            3. CloudWatch Logs: for the log groups sns/REGION/ACCOUNT/app/…, a subscription filter to that stream.

            Past records: aws logs filter-log-events --log-group-name GROUP --query 'events[].[message]' --output text > sns.log
            and landfall post --from sns sns.log

            """
        },
        reader: { post in
            var requestID: PostedJSON?
            let read = RecordReader(post.body, mostItems: post.mostItems) { value in
                requestID = value["requestId"] ?? requestID
                return SNSRecords(value, mostItems: post.mostItems).items
            }
            guard let requestID else { return read.reading }
            let time = post.now.millisecondsSinceEpoch
            return read.reading(.json(#"{"requestId":\#(requestID.written),"timestamp":\#(time)}"#))
        })
}

/// What one JSON value of a post contains.
struct SNSRecords {
    private let posted: PostedJSON
    /// How many envelopes are around it.
    private let depth: Int
    private let mostItems: Int

    private static let mostDepth = 4

    init(_ posted: PostedJSON, depth: Int = 0, mostItems: Int) {
        (self.posted, self.depth, self.mostItems) = (posted, depth, mostItems)
    }

    /// `nil` for what is not about a push.
    var items: [PresetItem]? {
        if depth > Self.mostDepth { return [unread("the record has too many envelopes")] }
        if let delivery = posted["delivery"] { return SNSDelivery(posted, delivery).items }
        if let records = posted["records"]?.elements { return joined(records.lazy.map(firehose)) }
        if let events = posted["logEvents"]?.elements {
            // A control message tests the connection.
            return posted["messageType"]?.text == "CONTROL_MESSAGE" ? nil : joined(events.lazy.map(message))
        }
        if case .string(let text) = posted { return inner(Array(text.utf8)) }
        switch posted["Type"]?.text {
        case "Notification": return message(posted)
        case "SubscriptionConfirmation":
            return [unread("confirm the subscription: open the SubscribeURL in this item, once")]
        default: break
        }
        return message(posted)
    }

    private func unread(_ detail: String) -> PresetItem { .unread("unread_post", detail, posted) }

    /// `nil` if none of them is about a push.
    private func joined(_ parts: some Sequence<[PresetItem]?>) -> [PresetItem]? {
        var items: [PresetItem] = []
        var isAboutPush = false
        for case let part? in parts {
            isAboutPush = true
            items += part
            if items.count > mostItems { break }
        }
        return isAboutPush ? items : nil
    }

    /// The text in `message`, as in a log event, or in `Message`, as in a notification of SNS over HTTP.
    private func message(_ event: PostedJSON) -> [PresetItem]? {
        guard let text = (event["message"] ?? event["Message"])?.text else {
            return [
                .unread(
                    "unread_post",
                    "notification and delivery are missing: post the delivery status that SNS writes to CloudWatch Logs",
                    event)
            ]
        }
        return inner(Array(text.utf8))
    }

    private func firehose(_ record: PostedJSON) -> [PresetItem]? {
        guard let data = record["data"]?.text.flatMap({ Data(base64Encoded: $0) }) else {
            return [.unread("unread_post", "a record of Firehose has data in Base64", record)]
        }
        guard !data.starts(with: [0x1F, 0x8B]) else {
            return [
                .unread(
                    "unread_post",
                    "the records are compressed: turn on 'Decompress source records from Amazon CloudWatch Logs'",
                    .object([.init(key: "records", value: .array([record]))]))
            ]
        }
        return inner(Array(data))
    }

    private func inner(_ bytes: [UInt8]) -> [PresetItem]? {
        joined(
            JSONCursor.records(in: bytes).lazy.flatMap(\.elements).map { record in
                record.items { SNSRecords($0, depth: depth + 1, mostItems: mostItems).items }
            })
    }
}

private struct SNSDelivery {
    let posted: PostedJSON
    let delivery: PostedJSON
    /// Such as `APNS_SANDBOX`, from `arn:aws:sns:eu-west-1:1:endpoint/APNS_SANDBOX/App/…`.
    let platform: String

    init(_ posted: PostedJSON, _ delivery: PostedJSON) {
        (self.posted, self.delivery) = (posted, delivery)
        let parts = (delivery["destination"]?.text ?? "").split(separator: "/")
        let isEndpoint = parts.first?.hasSuffix(":endpoint") == true && parts.count > 2
        platform = isEndpoint ? String(parts[1]).uppercased() : ""
    }

    /// `nil` for deliveries to e-mail, queues, functions, and so on. They have no token.
    var items: [PresetItem]? {
        guard !platform.isEmpty else {
            let detail = "delivery.destination must be the ARN of an endpoint"
            return delivery["token"].map { _ in [.unread("unread_post", detail, posted)] }
        }
        guard let id = posted["notification"]?["messageId"]?.text else {
            return [.unread("missing_notification_id", "notification.messageId is missing", posted)]
        }
        guard let time = posted["notification"]?["timestamp"]?.text.flatMap(Self.instant) else {
            return [
                .unread(
                    "invalid_instant",
                    "notification.timestamp must be as SNS writes it: 2015-01-26 23:07:39.54", posted)
            ]
        }
        guard let token = delivery["token"]?.text else {
            return [.unread("missing_token", "delivery.token is missing", posted)]
        }
        var event = ComposedEvent("response")
        event.set(
            "message_id", id: id, sentAt: time + Span(milliseconds: delivery["dwellTimeMs"]?.integer ?? 0))
        event.set("token", token)
        setOutcome(of: &event)
        event.set("mutable_content", false)
        return [event.item]
    }

    /// The response of the push service is read for words even if SNS counts it as a success: FCM's former
    /// API refused with status 200. What APNs returns with a 200 is empty.
    private func setOutcome(of event: inout ComposedEvent) {
        let isSuccess = posted["status"]?.text == "SUCCESS"
        let status = delivery["statusCode"]?.integer ?? (isSuccess ? 200 : 0)
        let said = delivery["providerResponse"]?.text
        var provider = Self.provider(platform)
        // Apple's binary protocol, which ended in 2021, had codes up to 255; old logs contain them.
        if provider == "apns", (1..<200).contains(status) { provider = "apns_binary_legacy" }
        event.set("provider", provider)
        event.set("status", status)
        if provider != "apns" || !isSuccess { event.set("error", said) }
        if !isSuccess, said == nil { event.set("reason", "FAILURE") }
        guard provider.hasPrefix("apns") else { return }
        event.set("environment", platform.hasSuffix("_SANDBOX") ? "sandbox" : "production")
        if platform.hasPrefix("APNS_VOIP") { event.set("push_type", "voip") }
    }

    /// The push service of a platform: its tokens are what the app registers. ADM and Baidu are known to
    /// SNS only.
    private static func provider(_ platform: String) -> String {
        switch platform {
        case _ where platform.hasPrefix("APNS"), _ where platform.hasPrefix("MACOS"): "apns"
        case "GCM", "FCM": "fcm"
        case "WNS", "MPNS": "webpush"
        default: "sns"
        }
    }

    /// `YYYY-MM-DD HH:MM:SS.fff`, in UTC, with one to three digits of the fraction.
    private static func instant(_ text: String) -> Instant? {
        Instant(rfc3339: text + "Z") ?? Instant(rfc3339: text)
    }
}
