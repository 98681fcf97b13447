internal import Basics

extension ResponseWords {
    /// Picks a response. Every class of rejection has its own, according to the providers' documentation.
    static func some(of provider: String, _ random: inout SeededRandom) -> ResponseWords {
        if random.chance(percent: 45) { return ResponseWords(provider, 200, nil, 0) }
        switch provider {
        case "apns":
            return random.pick(
                ResponseWords("apns", 410, "Unregistered", 1), ResponseWords("apns", 410, "ExpiredToken", 1),
                ResponseWords("apns", 400, "BadDeviceToken", 2),
                ResponseWords("apns", 400, "TopicDisallowed", 3),
                ResponseWords("apns", 403, "BadCertificateEnvironment", 4),
                ResponseWords("apns", 413, "PayloadTooLarge", 5),
                ResponseWords("apns", 400, "BadPriority", 6),
                ResponseWords("apns", 403, "ExpiredProviderToken", 7),
                ResponseWords("apns", 429, "TooManyRequests", 8), ResponseWords("apns", 503, "Shutdown", 9),
                ResponseWords("apns", 0, nil, 10), ResponseWords("apns", 418, "Teapot", 10))
        case "apns_broadcast":
            return random.pick(
                ResponseWords("apns_broadcast", 400, "BadChannelId", 6),
                ResponseWords("apns_broadcast", 403, "TopicMismatch", 3),
                ResponseWords("apns_broadcast", 429, "TooManyRequests", 8),
                ResponseWords("apns_broadcast", 0, nil, 10))
        case "fcm":
            return random.pick(
                ResponseWords("fcm", 404, "UNREGISTERED", 1),
                ResponseWords("fcm", 403, "SENDER_ID_MISMATCH", 3),
                ResponseWords("fcm", 400, "INVALID_ARGUMENT", 6),
                ResponseWords("fcm", 429, "QUOTA_EXCEEDED", 8),
                ResponseWords("fcm", 500, "INTERNAL", 9))
        default:
            return random.pick(
                ResponseWords(provider, 204, nil, 0), ResponseWords(provider, 500, "Oops", 9),
                ResponseWords(provider, 0, nil, 10))
        }
    }
}
