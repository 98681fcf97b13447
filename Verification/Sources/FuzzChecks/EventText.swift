internal import DeliveryModel
internal import Foundation

/// Writes events as the plainest items with the same meaning.
enum EventText {
    static func canonical(_ event: Event) -> String {
        var fields = self.fields(of: event.name, event.content)
        if let sentAt = event.sentAt { fields.append("\"sent_at\":\(sentAt.millisecondsSinceEpoch)") }
        switch event.content {
        case .recall: fields.append("\"type\":\"recall\"")
        case .device(let report): fields += self.fields(of: report)
        case .response(let response): fields += self.fields(of: response)
        }
        return "{\(fields.joined(separator: ","))}"
    }

    /// The name of the notification. Only a recall names a device alongside the message
    /// here; the other events write it themselves.
    private static func fields(of name: NotificationName, _ content: Event.Content) -> [String] {
        switch name {
        case .notification(let id): return ["\"notification_id\":\"\(id.uuidString)\""]
        case .message(let id, let deviceID):
            let message = ["\"message_id\":\"\(id.uuidString)\""]
            guard content == .recall, let deviceID else { return message }
            return message + ["\"device_id\":\"\(deviceID.uuidString)\""]
        }
    }

    private static func fields(of report: DeviceReport) -> [String] {
        [
            "\"type\":\"\(report.kind.rawValue)\"",
            report.isTimedByReceipt
                ? nil : report.occurredAt.map { "\"occurred_at\":\"\($0.rfc3339)\"" },
            report.deviceID.map { "\"device_id\":\"\($0.uuidString)\"" },
            report.facts.action.map { "\"action\":\(json($0))" },
            report.appVersion.map { "\"app_version\":\(json($0))" },
            report.isLocal ? "\"source\":\"local\"" : nil,
        ].compactMap(\.self)
    }

    private static func fields(of response: ProviderResponse) -> [String] {
        [
            "\"type\":\"response\"",
            "\"provider\":\(json(response.provider))",
            "\"status\":\(response.status)", "\"final\":\(response.isFinal)",
            response.reason.map { "\"reason\":\(json($0))" },
            response.facts.invalidSince.map { "\"timestamp\":\($0.millisecondsSinceEpoch)" },
            "\"environment\":\"\(response.environment.rawValue)\"",
            "\"topic\":\(json(response.topic))",
            "\"push_type\":\(json(response.pushType))",
            response.priority.map { "\"priority\":\(json($0))" },
            response.mutableContent.map { "\"mutable_content\":\($0)" },
            response.facts.collapseID.map { "\"collapse_id\":\(json($0))" },
            response.facts.expiresAt.map { "\"expires_at\":\($0.millisecondsSinceEpoch)" },
            response.facts.sender.map { "\"sender\":\(json($0))" },
            response.facts.providerID.map { "\"provider_id\":\(json($0))" },
            response.facts.contentAvailable.map { "\"content_available\":\($0)" },
            "\"campaign\":\(json(response.campaign))",
            "\"variant\":\(json(response.variant))",
        ].compactMap(\.self) + fields(of: response.target)
    }

    private static func fields(of target: ProviderResponse.Target?) -> [String] {
        switch target {
        case .token(let address):
            ["\"token\":\(json(address.value))", "\"token_kind\":\"\(address.kind.rawValue)\""]
        case .device(let deviceID): ["\"device_id\":\"\(deviceID.uuidString)\""]
        case nil: ["\"channel\":\"\""]
        }
    }

    private static func json(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": json += "\\\(scalar)"
            case "\u{0}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}
