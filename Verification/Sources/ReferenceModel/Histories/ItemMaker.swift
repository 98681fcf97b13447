internal import Basics
internal import Foundation

/// Generates items about a notification: their meaning, and a text that expresses it.
struct ItemMaker {
    let plan: NotificationPlan
    let devices: [HistoryDevice]
    /// The current time for validators, in milliseconds since 1970.
    let now: Int64
    /// A device's clock can be corrected exactly only if the validator uses `now`.
    let hasSkewedClocks: Bool

    func item(_ random: inout SeededRandom) -> HistoryItem {
        let number = random.below(100)
        if number < 8 { return spoiled(&random) }
        if number < 15 { return item(meaning: event(.recall, &random), &random) }
        if number < 50, plan.responsePlace != .never {
            return item(meaning: event(.response(response(&random)), &random), &random)
        }
        return item(meaning: event(.sighting(sighting(&random)), &random), &random)
    }

    /// The event as an item in a new spelling.
    func item(meaning event: MeantEvent, _ random: inout SeededRandom) -> HistoryItem {
        HistoryItem(
            text: fields(of: event, &random).text(&random), meaning: .event(event),
            isForDevices: event.sighting.map { $0.evidence != "provider" } ?? false)
    }

    private func event(_ content: MeantEvent.Content, _ random: inout SeededRandom) -> MeantEvent {
        var sentAt = plan.idTime
        if case .response = content {
            // A sender may omit a time that the id contains, and a contradictory sender may omit another one
            // too.
            if plan.idTime != plan.sentAt, !(plan.isContradictory && random.chance(percent: 30)) {
                sentAt = plan.sentAt
            }
            if plan.isContradictory, sentAt == plan.sentAt {
                sentAt = plan.sentAt + Int64(random.below(3)) * 900_000
            }
            sentAt = sentAt ?? plan.sentAt
        } else if plan.idTime == nil {
            // Devices post a rounded time, or none.
            sentAt = random.chance(percent: 50) ? nil : plan.sentAt / 1_000 * 1_000 - 7_000
        }
        return MeantEvent(
            name: plan.name, sentAt: sentAt, isDatedByID: plan.idTime != nil, content: content)
    }

    private func response(_ random: inout SeededRandom) -> MeantResponse {
        let target = self.target(&random)
        let words = ResponseWords.some(of: plan.provider(to: target), &random)
        let differs = plan.isContradictory && random.chance(percent: 50)
        let isFinal = random.chance(percent: plan.isContradictory ? 30 : 5)
        return MeantResponse(
            words: words, campaign: differs ? "other" : plan.campaign, variant: plan.variant,
            environment: plan.environment, topic: plan.topic, pushType: plan.pushType,
            priority: plan.isContradictory ? random.pick(nil, 5, 10) : 10,
            mutableContent: random.pick(nil, true, true, false), target: target,
            rejectedAt: words.status == 410 ? plan.sentAt - Int64(random.below(3)) * 60_000 : nil,
            collapseID: plan.collapseID ?? random.pick(nil, nil, "cart", "cart-2"), facts: facts(&random),
            isFinal: isFinal)
    }

    /// Every response states others, or leaves some out.
    private func facts(_ random: inout SeededRandom) -> MeantFacts {
        MeantFacts(
            expiresAt: random.pick(nil, plan.sentAt + 3_600_000, plan.sentAt + 86_400_001),
            sender: random.pick(nil, "checkout", "news \"9 Uhr\" 🎉"),
            providerID: random.pick(nil, "17", "projects/shop/messages/0:17"),
            contentAvailable: random.pick(nil, true, false))
    }

    /// A sender may name the device of a message by its token or by its id.
    private func target(_ random: inout SeededRandom) -> MeantResponse.Target {
        guard case .message(_, let device) = plan.name, random.chance(percent: 10) else { return plan.target }
        return .device(device)
    }

    private func sighting(_ random: inout SeededRandom) -> MeantSighting {
        let kind = MeantSighting.Kind.allCases[random.below(4)]
        let occurredAt = random.chance(percent: 30) ? nil : plan.sentAt + Int64(random.below(9) - 2) * 1_000
        return MeantSighting(
            kind: kind, occurredAt: occurredAt,
            action: kind == .click ? random.pick(nil, nil, "reply", "archive") : nil,
            isLocal: random.chance(percent: 8), appVersion: random.pick(nil, "7.0", "7.1"),
            evidence: kind == .arrival
                ? random.pick(nil, nil, "extension", "centre", "app", "provider") : nil,
            device: random.chance(percent: 50) ? random.below(devices.count) : nil)
    }
}

// MARK: - Fields

extension ItemMaker {
    func fields(of event: MeantEvent, _ random: inout SeededRandom) -> ItemFields {
        var fields = ItemFields()
        switch event.name {
        case .notification(let id): fields.add("notification_id", id: id, &random)
        case .message(let id, let device):
            fields.add("message_id", id: id, &random)
            if event.response == nil { fields.add("device_id", uuid: devices[device].deviceID, &random) }
        }
        if event.isDatedByID {
            if event.response == nil {
                // With a version 7 id, a device's sent_at is ignored, so it may be wrong.
                if random.chance(percent: 20) { fields.add("sent_at", instant: now - 500_000, &random) }
            } else if event.sentAt != plan.idTime || random.chance(percent: 30) {
                fields.add("sent_at", instant: event.sentAt, &random)
            }
        } else {
            fields.add("sent_at", instant: event.sentAt, &random)
        }
        switch event.content {
        case .response(let response): add(response, to: &fields, &random)
        case .sighting(let sighting): add(sighting, to: &fields, &random)
        case .recall: fields["type"] = "\"recall\""
        }
        if random.chance(percent: 3) { addUnreadable(to: &fields, &random) }
        return fields
    }

    /// A label that cannot be read, where there is none. It changes nothing.
    private func addUnreadable(to fields: inout ItemFields, _ random: inout SeededRandom) {
        let label = random.pick(
            "collapse_id", "campaign", "variant", "priority", "expires_at", "timestamp", "kit", "sender",
            "provider_id")
        guard fields[label] == nil else { return }
        fields[label] = random.pick(#""a\u0000b""#, "[]", "true", "\"\(String(repeating: "ä", count: 256))\"")
    }

    private func add(_ response: MeantResponse, to fields: inout ItemFields, _ random: inout SeededRandom) {
        fields["type"] = "\"response\""
        // A push to a channel is a broadcast, under any provider name.
        let isBroadcast = response.words.provider == "apns_broadcast"
        let provider = isBroadcast ? random.pick("apns", "apns_broadcast") : response.words.provider
        fields.add(
            "provider", text: random.chance(percent: 10) ? provider.uppercased() : provider, &random)
        let status = response.words.status
        fields["status"] = random.pick("\(status)", "\(status)", "\(status).0", "\"\(status)\"")
        if response.isFinal { fields["final"] = "true" }
        if !response.isFinal, random.chance(percent: 10) { fields["final"] = random.pick("false", "null") }
        fields.add("reason", text: response.words.reason ?? random.pick(nil, ""), &random)
        fields.add("timestamp", instant: response.rejectedAt, &random)
        fields.add(
            "campaign", text: response.campaign.isEmpty ? random.pick(nil, "") : response.campaign, &random)
        fields.add("variant", text: response.variant.isEmpty ? nil : response.variant, &random)
        if response.environment != "production" || random.chance(percent: 20) {
            fields.add("environment", text: response.environment, &random)
        }
        fields.add("topic", text: response.topic.isEmpty ? nil : response.topic, &random)
        if response.pushType != "alert" || random.chance(percent: 50) {
            fields.add("push_type", text: response.pushType, &random)
        }
        fields["priority"] = response.priority.map { "\($0)" }
        fields["mutable_content"] = response.mutableContent.map { "\($0)" }
        fields.add("collapse_id", text: response.collapseID, &random)
        add(response.facts, to: &fields, &random)
        switch response.target {
        case .deviceToken(let device): add(token: devices[device].token, response, to: &fields, &random)
        case .strangeToken(let value): add(token: value, response, to: &fields, &random)
        case .device(let device): fields.add("device_id", uuid: devices[device].deviceID, &random)
        case .broadcast: fields["channel"] = "\"news\""
        }
    }

    private func add(_ facts: MeantFacts, to fields: inout ItemFields, _ random: inout SeededRandom) {
        fields.add("expires_at", instant: facts.expiresAt, &random)
        fields.add("sender", text: facts.sender, &random)
        // A number is a name, too.
        if facts.providerID == "17", random.chance(percent: 50) {
            fields["provider_id"] = "17"
        } else {
            fields.add("provider_id", text: facts.providerID, &random)
        }
        guard let claim = facts.contentAvailable else { return }
        fields["content_available"] = random.pick(
            "\(claim)", "\(claim)", claim ? "1" : "0", claim ? "\"1\"" : "\"false\"")
    }

    /// APNs tokens are bytes, so the case of their digits does not matter; tokens of other providers are
    /// text.
    private func add(
        token: String, _ response: MeantResponse, to fields: inout ItemFields, _ random: inout SeededRandom
    ) {
        let isUppercase = response.words.provider == "apns" && random.chance(percent: 50)
        let value = HistoryDevice.value(token, of: response.words.provider)
        fields["token"] = "\"\(isUppercase ? value.uppercased() : value)\""
    }

    private func add(_ sighting: MeantSighting, to fields: inout ItemFields, _ random: inout SeededRandom) {
        let names = ["arrival", "presentation", "click", "dismissal"]
        fields["type"] = "\"\(names[sighting.kind.rawValue])\""
        if let occurredAt = sighting.occurredAt, hasSkewedClocks, random.chance(percent: 30) {
            let skew = Int64(random.below(7_200_000) - 3_600_000)
            fields.add("occurred_at", instant: occurredAt + skew, &random)
            fields.add("reported_at", instant: now + skew, &random)
        } else {
            fields.add("occurred_at", instant: sighting.occurredAt, &random)
        }
        fields.add("action", text: sighting.action, &random)
        // Only a click has an action; in other events, the field is ignored.
        if sighting.kind != .click, random.chance(percent: 10) { fields["action"] = "\"open\"" }
        // Only a response has a sender.
        if random.chance(percent: 5) { fields["sender"] = "\"phone\"" }
        if fields["device_id"] == nil, let device = sighting.device {
            fields.add("device_id", uuid: devices[device].deviceID, &random)
        }
        if sighting.isLocal { fields["source"] = "\"local\"" }
        fields.add("evidence", text: sighting.evidence, &random)
        fields.add("app_version", text: sighting.appVersion ?? random.pick(nil, ""), &random)
    }
}
