/// A provider's name as people write it; others as they were posted.
func providerName(_ provider: String) -> String {
    switch provider {
    case "apns": "APNs"
    case "fcm": "FCM"
    case "webpush": "Web Push"
    default: provider
    }
}

/// An answer as it was given: `410 Unregistered`, `200`; status 0 is `no response`.
func answerWords(status: Int64, reason: String?) -> String {
    let reason = reason ?? ""
    guard status != 0 else { return reason.isEmpty ? "no response" : "no response (\(reason))" }
    return reason.isEmpty ? "\(status)" : "\(status) \(reason)"
}
