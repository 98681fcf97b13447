internal import Foundation

extension ItemMaker {
    /// An item with one thing wrong in it, and the code of the contract for that.
    func spoiled(_ random: inout SeededRandom) -> HistoryItem {
        switch random.below(3) {
        case 0: spoiledAnswer(&random)
        case 1: spoiledSighting(&random)
        default:
            rejected(
                random.pick(
                    "17", "[]", "\"text\"", "nul", "{\"type\" \"click\"}", "{\"type\":\"click\",}",
                    "{'type':1}",
                    "{\"type\":\"click\"} x"),
                "invalid_json", isForDevices: true)
        }
    }

    /// What a device key may not post.
    func forbidden(_ random: inout SeededRandom) -> HistoryItem {
        let content: MeantEvent.Content = random.pick(.recall, .answer(MeantAnswer.plain))
        let event = MeantEvent(
            notificationID: plan.notificationID, sentAt: plan.sentAt, isDatedByID: plan.isDatedByID,
            content: content)
        return rejected(fields(of: event, &random).text(&random), "forbidden_type", isForDevices: true)
    }

    private func rejected(_ text: String, _ code: String, isForDevices: Bool) -> HistoryItem {
        HistoryItem(text: text, meaning: .rejected(code), isForDevices: isForDevices)
    }

    private func spoiledSighting(_ random: inout SeededRandom) -> HistoryItem {
        let event = MeantEvent(
            notificationID: plan.notificationID, sentAt: plan.sentAt, isDatedByID: plan.isDatedByID,
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
        switch random.below(12) {
        case 0: return set("type", "\"tap\"", "unknown_type")
        case 1: return set("type", random.pick(nil, "5"), "unknown_type")
        case 2: return set("notification_id", random.pick(nil, "null"), "missing_notification_id")
        case 3: return set("notification_id", random.pick("\"abc\"", "17"), "invalid_notification_id")
        case 4:
            let id = NotificationPlan.uuid(now - 500 * day, &random)
            return set("notification_id", "\"\(id)\"", "too_old")
        case 5:
            let id = NotificationPlan.uuid(now + 4 * day, &random)
            return set("notification_id", "\"\(id)\"", "in_future")
        case 6:
            return set(random.pick("occurred_at", "reported_at"), "\"yesterday\"", "invalid_instant")
        case 7: return set("sent_at", random.pick("1.5", "\"2026-03-01T10:00:00\""), "invalid_instant")
        case 8: return set("action", "\"\(String(repeating: "ä", count: 256))\"", "too_long")
        case 9: return set("action", #""a\u0000b""#, "invalid_field")
        case 10: return set("source", "\"elsewhere\"", "invalid_field")
        default: return set("device_id", "\"phone\"", "invalid_field")
        }
    }

    private func spoiledAnswer(_ random: inout SeededRandom) -> HistoryItem {
        let event = MeantEvent(
            notificationID: plan.notificationID, sentAt: plan.sentAt, isDatedByID: plan.isDatedByID,
            content: .answer(MeantAnswer.plain))
        var fields = fields(of: event, &random)
        func set(_ name: String, _ json: String?, _ code: String) -> HistoryItem {
            fields[name] = json
            return rejected(fields.text(&random), code, isForDevices: false)
        }
        switch random.below(10) {
        case 0: return set("provider", random.pick(nil, "\"\""), "invalid_field")
        case 1: return set("status", random.pick(nil, "-1", "70000", "\"200\"", "200.5"), "invalid_status")
        case 2: return set("channel", nil, "missing_token")
        case 3: return set("token", random.pick("\"xyz\"", "\"abc\"", "\"\"", "\"ab cd\""), "invalid_token")
        case 4: return set("token", "\"\(String(repeating: "ab", count: 513))\"", "too_long")
        case 5: return set("environment", "\"staging\"", "invalid_field")
        case 6: return set("priority", "\"high\"", "invalid_field")
        case 7: return set("campaign", "\"\(String(repeating: "x", count: 256))\"", "too_long")
        case 8: return set("timestamp", "true", "invalid_instant")
        default:
            fields["notification_id"] = "\"\(NotificationPlan.uuid(nil, &random))\""
            return set("sent_at", nil, "missing_sent_at")
        }
    }
}

extension MeantAnswer {
    /// A broadcast that was accepted: nothing in it that an item could not do without.
    static let plain = MeantAnswer(
        words: AnswerWords("apns", 200, nil, 0), campaign: "", variant: "", environment: "production",
        topic: "",
        pushType: "alert", priority: nil, mutableContent: nil, target: .broadcast, refusedAt: nil,
        collapseID: nil)
}
