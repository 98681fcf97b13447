internal import Basics
internal import Foundation

extension ItemMaker {
    /// An item with one defect, and the code that the interface defines for it.
    func spoiled(_ random: inout SeededRandom) -> HistoryItem {
        switch random.below(3) {
        case 0: spoiledResponse(&random)
        case 1: spoiledSighting(&random)
        default:
            rejected(
                random.pick(
                    "17", "[7]", "\"text\"", "nul", "{\"type\" \"click\"}", "{\"type\":\"click\",}",
                    "{'type':1}",
                    "{\"type\":\"click\"} x"),
                "invalid_json", isForDevices: true)
        }
    }

    /// An item that a device key may not post.
    func forbidden(_ random: inout SeededRandom) -> HistoryItem {
        let content: MeantEvent.Content = random.pick(.recall, .response(plain))
        let event = MeantEvent(
            name: plan.name, sentAt: plan.sentAt, isDatedByID: plan.idTime != nil, content: content)
        return rejected(fields(of: event, &random).text(&random), "forbidden_type", isForDevices: true)
    }

    private var plain: MeantResponse {
        guard case .message(_, let device) = plan.name else { return .plain(to: .broadcast) }
        return .plain(to: .device(device))
    }

    private func rejected(_ text: String, _ code: String, isForDevices: Bool) -> HistoryItem {
        HistoryItem(text: text, meaning: .rejected(code), isForDevices: isForDevices)
    }

    private func spoiledSighting(_ random: inout SeededRandom) -> HistoryItem {
        let event = MeantEvent(
            name: plan.name, sentAt: plan.sentAt, isDatedByID: plan.idTime != nil,
            content: .sighting(MeantSighting(kind: .click, occurredAt: nil, action: nil, isLocal: false)))
        var fields = fields(of: event, &random)
        let code = spoil(&fields, &random)
        return rejected(fields.text(&random), code, isForDevices: true)
    }

    private func spoil(_ fields: inout ItemFields, _ random: inout SeededRandom) -> String {
        func set(_ name: String, _ json: String?, _ code: String) -> String {
            fields[name] = json
            return code
        }
        let day: Int64 = 86_400_000
        if plan.isOfMessage, random.chance(percent: 20) {
            return random.chance(percent: 50)
                ? set("device_id", random.pick(nil, "null"), "missing_notification_id")
                : set("notification_id", "17", "invalid_field")
        }
        let idField = plan.isOfMessage ? "message_id" : "notification_id"
        switch random.below(6) {
        case 0: return set("type", "\"tap\"", "unknown_type")
        case 1: return set("type", random.pick(nil, "5"), "unknown_type")
        case 2: return set(idField, random.pick(nil, "null"), "missing_notification_id")
        case 3:
            let code = plan.isOfMessage ? "invalid_field" : "invalid_notification_id"
            return set(idField, random.pick("\"\"", "\" Null \"", "\"undefined\"", "0", "1.5", "[]"), code)
        case 4:
            let id = NotificationPlan.uuid(now - 500 * day, &random)
            return set(idField, "\"\(id)\"", "too_old")
        default:
            let id = NotificationPlan.uuid(now + 4 * day, &random)
            return set(idField, "\"\(id)\"", "in_future")
        }
    }

    private func spoiledResponse(_ random: inout SeededRandom) -> HistoryItem {
        let event = MeantEvent(
            name: plan.name, sentAt: plan.sentAt, isDatedByID: plan.idTime != nil, content: .response(plain))
        var fields = fields(of: event, &random)
        func set(_ name: String, _ json: String?, _ code: String) -> HistoryItem {
            fields[name] = json
            return rejected(fields.text(&random), code, isForDevices: false)
        }
        switch random.below(7) {
        case 0:
            guard random.chance(percent: 50) else { return set("provider", "\"pigeon\"", "unknown_provider") }
            return set("provider", random.pick(nil, "\"\""), "invalid_field")
        case 1: return set("status", random.pick(nil, "-1", "70000", "\"ok\"", "200.5"), "invalid_status")
        case 2:
            // A message cannot be a broadcast.
            fields["device_id"] = nil
            return set("channel", plan.isOfMessage ? random.pick(nil, "\"news\"") : nil, "missing_token")
        case 3: return set("token", random.pick("\"xyz\"", "\"abc\"", "\"\"", "\"ab cd\""), "invalid_token")
        case 4: return set("token", "\"\(String(repeating: "ab", count: 1_025))\"", "too_long")
        case 5:
            return set(
                "sent_at", random.pick("1.5", "\"2026-03-01T10:00:00\"", "1772000000"), "invalid_instant")
        default:
            fields[plan.isOfMessage ? "message_id" : "notification_id"] =
                "\"\(NotificationPlan.uuid(nil, &random))\""
            return set("sent_at", nil, "missing_sent_at")
        }
    }
}

extension NotificationPlan {
    fileprivate var isOfMessage: Bool {
        guard case .message = name else { return false }
        return true
    }
}

extension MeantResponse {
    /// An accepted push with only the fields that an item needs.
    fileprivate static func plain(to target: Target) -> MeantResponse {
        MeantResponse(
            words: ResponseWords("apns", 200, nil, 0), campaign: "", variant: "", environment: "production",
            topic: "", pushType: "alert", priority: nil, mutableContent: nil, target: target, rejectedAt: nil,
            collapseID: nil)
    }
}
