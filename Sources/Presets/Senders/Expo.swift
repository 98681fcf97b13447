internal import Basics

extension Preset {
    /// Expo's tickets and receipts (docs.expo.dev, Send notifications with the Expo Push Service; the types
    /// of expo-server-sdk-node). Expo has no webhook: the sender posts what its library returns.
    ///
    /// Tickets come in the order of the messages, one per token. Receipts come by ticket id and name no
    /// token, so messages and tickets are posted along.
    public static let expo = Preset(
        name: "expo",
        setup: { url, key in
            """
            Expo has no webhook: your sender posts what the library returns to
              \(url)
              Authorization: Bearer \(key)

            After sending, the messages with their tickets, in the same order:
              {"messages": [{"to": "ExponentPushToken[…]", "data":
                  {"notification_id": "YOUR-ID", "landfall": {"id": "YOUR-ID"}, "sent_at": MS}}], "tickets": […]}
            After 15 minutes, the same again with the receipts:
              {"messages": […], "tickets": […], "receipts": {"TICKET-ID": {"status": "ok"}}}

            YOUR-ID is a text that you choose per push. Apps with the device kit report under landfall.id.
            Without it, the ticket's id is taken, which no device knows. Titles and texts are not kept.
            MS is the send time in milliseconds since 1970. Without it, the time of this post is taken.

            """
        },
        reader: { post in
            RecordReader(post.body, mostItems: post.mostItems) { ExpoPost($0, in: post).items }.reading
        })
}

private struct ExpoPost {
    let posted: PostedJSON
    let post: PresetPost
    var now: Instant { post.now }

    init(_ posted: PostedJSON, in post: PresetPost) { (self.posted, self.post) = (posted, post) }

    var items: [PresetItem] {
        let messages = sent
        if let receipts = (posted["receipts"] ?? posted["data"])?.members { return read(receipts, messages) }
        if let tickets = tickets {
            guard messages.isEmpty || messages.count == tickets.count else {
                return [
                    .unread(
                        "unread_post",
                        "there are \(tickets.count) tickets of \(messages.count) tokens: post the messages of one request with its tickets",
                        posted)
                ]
            }
            return post.first(of: Array(tickets.indices)).map { index in
                let message = messages.isEmpty ? nil : messages[index]
                return ExpoOutcome(tickets[index], of: message, id: tickets[index]["id"]?.text, now: now).item
            }
        }
        if let error = posted["errors"]?.elements?.first, !messages.isEmpty {
            return post.first(of: messages).map { ExpoOutcome(error, of: $0, id: nil, now: now).item }
        }
        // A ticket or receipt alone, with fields of the sender next to Expo's.
        if posted["status"] != nil {
            return [ExpoOutcome(posted, of: ExpoMessage(posted), id: posted["id"]?.text, now: now).item]
        }
        return [
            .unread(
                "unread_post", "tickets or receipts are missing: post {\"messages\": […], \"tickets\": […]}",
                posted)
        ]
    }

    private var tickets: [PostedJSON]? { (posted["tickets"] ?? posted["data"])?.elements }

    /// One for each token.
    private var sent: [ExpoMessage] {
        (posted["messages"]?.elements ?? []).flatMap { message in
            let tokens = message["to"]?.elements ?? [message["to"] ?? .null]
            return tokens.map { ExpoMessage(message, to: $0.text, isOneOfMany: tokens.count > 1) }
        }
    }

    /// Only the final outcomes: the tickets are posted along for the tokens.
    private func read(_ receipts: [PostedJSON.Member], _ messages: [ExpoMessage]) -> [PresetItem] {
        var byTicket: [String: ExpoMessage] = [:]
        for (ticket, message) in zip(tickets ?? [], messages) {
            if let id = ticket["id"]?.text { byTicket[id] = message }
        }
        return post.first(of: receipts).map { receipt in
            let message = byTicket[receipt.key] ?? ExpoMessage(receipt.value)
            return ExpoOutcome(receipt.value, of: message, id: receipt.key, isReceipt: true, now: now).item
        }
    }
}

/// What the sender knows of a push.
private struct ExpoMessage {
    let token: String?
    let notificationID: String?
    let messageID: String?
    let sentAt: Instant?
    let campaign: String?

    /// - Parameter isOneOfMany: whether the message has several tokens. Each is a push of its own, so the id
    ///   is a `message_id`, even if it is called `notification_id`.
    init(_ message: PostedJSON, to token: String? = nil, isOneOfMany: Bool = false) {
        func own(_ name: String) -> PostedJSON? { message[name] ?? message["data"]?[name] }
        self.token = token ?? own("token")?.text ?? message["to"]?.text
        let id = own("notification_id")?.text
        notificationID = isOneOfMany ? nil : id
        messageID = own("message_id")?.text ?? (isOneOfMany ? id : nil)
        campaign = own("campaign")?.text
        let time = own("sent_at")
        sentAt =
            time?.integer.map(Instant.init(millisecondsSinceEpoch:))
            ?? time?.text.flatMap { Instant(rfc3339: $0) }
    }

    /// As fields next to those of a ticket or receipt.
    var members: [PostedJSON.Member] {
        let texts: KeyValuePairs = [
            "to": token, "notification_id": notificationID, "message_id": messageID, "campaign": campaign,
            "sent_at": sentAt?.rfc3339,
        ]
        return texts.compactMap { name, text in
            text.map { PostedJSON.Member(key: name, value: .string($0)) }
        }
    }
}

/// A ticket, a receipt, or the error of a whole request.
private struct ExpoOutcome {
    let posted: PostedJSON
    let message: ExpoMessage?
    let ticketID: String?
    let isReceipt: Bool
    let now: Instant

    init(_ posted: PostedJSON, of message: ExpoMessage?, id: String?, isReceipt: Bool = false, now: Instant) {
        (self.posted, self.message, self.ticketID) = (posted, message, id)
        (self.isReceipt, self.now) = (isReceipt, now)
    }

    var item: PresetItem {
        let status = posted["status"]?.text ?? "error"
        guard ["ok", "error"].contains(status) else {
            return unread("unread_post", "the status of a ticket or receipt must be ok or error")
        }
        // The token of a message, or the one that Expo names if it is not registered.
        guard let token = message?.token ?? posted["details"]?["expoPushToken"]?.text else {
            return unread(
                "missing_token",
                "Expo names no tokens: post messages and tickets along, in the order in which they were sent")
        }
        var event = ComposedEvent("response")
        guard setID(of: &event, token) else {
            return unread(
                "missing_notification_id",
                "put notification_id into the data of each message: a failed ticket has no id")
        }
        event.set("provider", "expo")
        event.set("status", status)
        if status == "error" { event.set("reason", reason) }
        event.set("token", token)
        event.set("provider_id", ticketID)
        event.set("campaign", message?.campaign)
        // The sender may repeat what a ticket refuses, under the same id.
        if isReceipt { event.set("final", true) }
        return event.item
    }

    /// The sender's id, otherwise that of the ticket.
    private func setID(of event: inout ComposedEvent, _ token: String) -> Bool {
        func sentAt(_ id: String) -> Instant { message?.sentAt ?? .sending(id, reportedAt: now) }
        if let id = message?.notificationID {
            event.set("notification_id", id: id, sentAt: sentAt(id))
        } else if let id = message?.messageID {
            event.set("message_id", id: id, sentAt: sentAt(id))
        } else if let ticketID {
            event.set("notification_id", id: ticketID, sentAt: sentAt(ticketID))
            event.set("mutable_content", false)
        } else {
            return false
        }
        return true
    }

    /// Expo's code. Its `message` is a sentence of Expo's, and names the token.
    private var reason: String? {
        posted["details"]?["error"]?.text ?? posted["code"]?.text ?? posted["message"]?.text
    }

    /// As a post that the preset reads by itself.
    private func unread(_ code: String, _ detail: String) -> PresetItem {
        let known = (message?.members ?? []).filter { posted[$0.key] == nil }
        let whole = PostedJSON.object((posted.members ?? []) + known)
        guard isReceipt, let ticketID else { return .unread(code, detail, whole) }
        let receipts = PostedJSON.object([.init(key: ticketID, value: whole)])
        return .unread(code, detail, .object([.init(key: "receipts", value: receipts)]))
    }
}
