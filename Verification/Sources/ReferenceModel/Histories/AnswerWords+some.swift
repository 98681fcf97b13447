internal import SeededRandom

extension AnswerWords {
    /// Picks a response. Every class of rejection has its own, according to the providers' documentation.
    static func some(of provider: String, _ random: inout SeededRandom) -> AnswerWords {
        if random.chance(percent: 45) { return AnswerWords(provider, 200, nil, 0) }
        switch provider {
        case "apns":
            return random.pick(
                AnswerWords("apns", 410, "Unregistered", 1), AnswerWords("apns", 410, "ExpiredToken", 1),
                AnswerWords("apns", 400, "BadDeviceToken", 2), AnswerWords("apns", 400, "TopicDisallowed", 3),
                AnswerWords("apns", 403, "BadCertificateEnvironment", 4),
                AnswerWords("apns", 413, "PayloadTooLarge", 5), AnswerWords("apns", 400, "BadPriority", 6),
                AnswerWords("apns", 403, "ExpiredProviderToken", 7),
                AnswerWords("apns", 429, "TooManyRequests", 8), AnswerWords("apns", 503, "Shutdown", 9),
                AnswerWords("apns", 0, nil, 10), AnswerWords("apns", 418, "Teapot", 10))
        case "fcm":
            return random.pick(
                AnswerWords("fcm", 404, "UNREGISTERED", 1), AnswerWords("fcm", 403, "SENDER_ID_MISMATCH", 3),
                AnswerWords("fcm", 400, "INVALID_ARGUMENT", 6), AnswerWords("fcm", 429, "QUOTA_EXCEEDED", 8),
                AnswerWords("fcm", 500, "INTERNAL", 9))
        default:
            return random.pick(
                AnswerWords(provider, 204, nil, 0), AnswerWords(provider, 500, "Oops", 10),
                AnswerWords(provider, 0, nil, 10))
        }
    }
}
