extension TokenWords {
    /// The providers' responses, according to their documentation.
    static func all(of provider: String, _ meaning: Meaning) -> [TokenWords] {
        (provider == "fcm" ? fcm : apns).filter { $0.meaning == meaning }
    }

    private static let apns = [
        TokenWords(200, nil, "accepted", .accepted),
        TokenWords(410, "Unregistered", "token_dead", .dead),
        TokenWords(410, "ExpiredToken", "token_dead", .dead),
        TokenWords(410, "WordOfTomorrow", "token_dead", .dead),
        TokenWords(400, "BadDeviceToken", "token_suspect", .suspicious),
        TokenWords(400, "TopicDisallowed", "wrong_topic", .nothing),
        TokenWords(403, "BadCertificateEnvironment", "wrong_environment", .nothing),
        TokenWords(413, "PayloadTooLarge", "payload_error", .nothing),
        TokenWords(400, "BadPriority", "request_error", .nothing),
        TokenWords(403, "ExpiredProviderToken", "auth_error", .nothing),
        TokenWords(429, "TooManyRequests", "throttled", .nothing),
        TokenWords(503, "Shutdown", "provider_error", .nothing),
        TokenWords(0, nil, "unknown", .nothing),
        TokenWords(418, "Teapot", "unknown", .nothing),
    ]

    private static let fcm = [
        TokenWords(200, nil, "accepted", .accepted),
        TokenWords(404, "UNREGISTERED", "token_dead", .dead),
        TokenWords(
            400, "INVALID_ARGUMENT+message not a valid FCM registration token", "token_suspect", .suspicious),
        TokenWords(403, "SENDER_ID_MISMATCH", "wrong_topic", .nothing),
        TokenWords(400, "INVALID_ARGUMENT", "request_error", .nothing),
        TokenWords(429, "QUOTA_EXCEEDED", "throttled", .nothing),
        TokenWords(500, "INTERNAL", "provider_error", .nothing),
        TokenWords(404, "WORD_OF_TOMORROW", "unknown", .nothing),
    ]

    /// The classes of responses, the one that counts first.
    static let finality = [
        "accepted", "token_dead", "token_suspect", "wrong_topic", "wrong_environment", "payload_error",
        "request_error", "auth_error", "throttled", "provider_error", "unknown",
    ]
}
