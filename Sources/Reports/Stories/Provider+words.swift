/// A provider's name as people write it; other providers as posted.
package func providerName(_ provider: String) -> String {
    switch provider {
    case "apns": "APNs"
    case "fcm": "FCM"
    case "webpush": "Web Push"
    default: provider
    }
}

/// A response in words: `410 Unregistered`, `200`; `no response` for status 0.
package func responseWords(status: Int64, reason: String?) -> String {
    let reason = reason ?? ""
    guard status != 0 else { return reason.isEmpty ? "no response" : "no response (\(reason))" }
    return reason.isEmpty ? "\(status)" : "\(status) \(reason)"
}
