internal import Basics

/// One push in the words of gorush, which gaurun shares: `type`, `platform`, `token`, `error`.
///
/// Neither has a status or the timestamp of a 410, so the error's words decide. `message`, the text of the
/// notification, is left out.
struct LoggedPush {
    /// The program that wrote the entry.
    let sender: String
    let entry: PostedJSON
    /// The id that the caller of the program chose for its request, which may have many tokens.
    let messageID: String?
    let sentAt: Instant
    /// What makes two pushes without an id different from each other, apart from their token and time.
    var number = ""
    /// How to switch off that the program hides tokens.
    let unmasking: String

    private static let providers = ["ios": "apns", "android": "fcm", "huawei": "hms"]

    /// A response, or what is missing for one.
    func item() -> PresetItem {
        let type = entry["type"]?.text ?? ""
        guard ["succeeded-push", "failed-push"].contains(type) else {
            return .unread("unknown_type", "\(sender): type must be succeeded-push or failed-push", entry)
        }
        guard let provider = Self.providers[entry["platform"]?.text ?? ""] else {
            return .unread("unknown_provider", "\(sender): platform must be ios, android or huawei", entry)
        }
        guard let token = entry["token"]?.text else {
            return .unread(
                "missing_token",
                "\(sender) names no token, because the whole request failed: its log has the reason",
                entry)
        }
        guard !token.contains("*****") else {
            return .unread("invalid_token", "\(sender) hides the token: set \(unmasking)", entry)
        }
        return response(type, provider, token: token).item
    }

    private func response(_ type: String, _ provider: String, token: String) -> ComposedEvent {
        let error = entry["error"]?.text
        var event = ComposedEvent("response")
        if let messageID {
            event.set("message_id", id: messageID, sentAt: sentAt)
        } else {
            event.set(idOf: sender, from: [token, type, error ?? "", number], sentAt: sentAt)
        }
        event.set("provider", provider)
        if type == "succeeded-push" {
            event.set("status", 200)
        } else {
            event.set("status", Self.status(of: error ?? "", by: provider))
            event.set("reason", error ?? "failed-push")
        }
        event.set("token", token)
        return event
    }

    /// The status that goes with the error's words: the number in the texts of Firebase's library for Go
    /// (`http error status: 404; …`), or APNs' own for its reasons that imply one (Apple, Handling
    /// notification responses from APNs). 0 otherwise, most often because no response came; the reason
    /// decides under any status.
    static func status(of error: String, by provider: String) -> Int64 {
        if let status = error.firstMatch(of: /status(?: code)?:? ([1-5][0-9][0-9])\b/)?.1 {
            return Int64(status) ?? 0
        }
        return provider == "apns" ? statusOfReason[error.lowercased()] ?? 0 : 0
    }

    private static let statusOfReason: [String: Int64] = {
        let reasons: [(status: Int64, reasons: String)] = [
            (
                400,
                """
                BadCollapseId BadDeviceToken BadExpirationDate BadMessageId BadPriority BadTopic DeviceTokenNotForTopic \
                DuplicateHeaders IdleTimeout InvalidPushType MissingDeviceToken MissingTopic PayloadEmpty TopicDisallowed
                """
            ),
            (
                403,
                """
                BadCertificate BadCertificateEnvironment ExpiredProviderToken Forbidden InvalidProviderToken \
                MissingProviderToken UnrelatedKeyIdInToken BadEnvironmentKeyIdInToken BadEnvironmentKeyInToken
                """
            ),
            (404, "BadPath"), (405, "MethodNotAllowed"), (410, "Unregistered ExpiredToken"),
            (413, "PayloadTooLarge"), (429, "TooManyRequests TooManyProviderTokenUpdates"),
            (500, "InternalServerError"), (503, "ServiceUnavailable Shutdown"),
        ]
        var statuses: [String: Int64] = [:]
        for (status, words) in reasons {
            for word in words.split(separator: " ") { statuses[word.lowercased()] = status }
        }
        return statuses
    }()
}
