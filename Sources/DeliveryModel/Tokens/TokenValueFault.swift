/// Why a text cannot be a device token of its issuer.
public enum TokenValueFault: Error, Hashable, CaseIterable, Sendable {
    /// A word that languages and libraries print if there is no value.
    case absent
    case tooLong
    case hasSpaces
    /// Characters of which the issuer makes no tokens: quotes, percent signs, brackets.
    case isEncoded
    /// Zeros only, as in identifiers that a system withholds.
    case zeros
    /// A description of the bytes, or of the error for which there are none, instead of the value.
    case description
    /// The name of an error, such as `SERVICE_NOT_AVAILABLE`.
    case errorName
    case jsonWebToken
    case emailAddress
    case telephoneNumber
    case notHex
    case notAnEndpoint
    case endpointIsGone
    case isEndpoint
    case isExpoToken
    case isFCMToken
    case isBareHex
    case isUUID

    /// The fault and its fix, as the end of a sentence that begins with "the value".
    public var advice: String {
        switch self {
        case .absent:
            "is a word for a missing value: register the device without this token until the system provides one"
        case .tooLong: "is longer than any token: at most 1,024 bytes, or 2,048 for an endpoint of Web Push"
        case .hasSpaces:
            "contains spaces or control characters: send the value exactly as the system or library provides it"
        case .isEncoded:
            "contains characters that no token of this kind has: send the value exactly as the system or library provides it, not "
                + "encoded, printed or as JSON"
        case .zeros:
            "contains only zeros, so it is a placeholder: send the value that the system provides"
        case .description:
            "is a description, not the token: send the token itself (of APNs, its bytes as hex digits), not a printed object or error"
        case .errorName:
            "is the name of an error, not a token: register the device without this token until the library provides one"
        case .jsonWebToken:
            "is a JSON Web Token (three parts with dots), such as the sign-in token of Firebase Auth: send the registration token "
                + "of the messaging library"
        case .emailAddress: "is an e-mail address: only tokens of push channels can be registered"
        case .telephoneNumber: "is a telephone number: only tokens of push channels can be registered"
        case .notHex:
            "is not an even number of hex digits, as tokens of APNs are: send the token's bytes as hex; for tokens of another "
                + "provider, state their kind, such as fcm or web_push"
        case .notAnEndpoint:
            "is not the endpoint of a Web Push subscription: send PushSubscription.endpoint, an address of https"
        case .endpointIsGone:
            "is what a browser writes if it no longer has a subscription: subscribe again with pushManager.subscribe(), and "
                + "register the new endpoint"
        case .isEndpoint: "is the endpoint of a Web Push subscription: register it with kind web_push"
        case .isExpoToken: "is a token of Expo: register it with kind expo"
        case .isFCMToken: "is a registration token of FCM: register it with kind fcm"
        case .isBareHex:
            "is only hex digits, as tokens of APNs are: register it with kind alert, or send the token that this provider's "
                + "library returns"
        case .isUUID:
            "is a UUID, such as a device or player id, not a token: send the registration token"
        }
    }
}

extension Spelling {
    private static let longestWord = 24
    private static let leastZeros = 16
    /// Two 64-bit numbers in hex: shorter text may be hex by chance.
    private static let leastBareHex = 32

    /// Why the text is not this issuer's token: first by the common rules, then by the marks of other values.
    func fault(of text: String, issuer: String) -> TokenValueFault? {
        guard count > 0 else { return .absent }
        guard count <= (issuer == "webpush" ? FieldLimits.endpoint : FieldLimits.token) else {
            return .tooLong
        }
        if count <= Self.longestWord, Self.isAbsence(text) { return .absent }
        if mayBeDescription, Self.isDescription(text) {
            return issuer == "webpush" ? .notAnEndpoint : .description
        }
        if hasSpace { return issuer == "apns" && isBracketed ? nil : .hasSpaces }
        if hasOnlyZeros, count >= Self.leastZeros { return .zeros }
        if dots == 2 || dots == 4, text.hasPrefix("eyJ") { return .jsonWebToken }
        if issuer != "webpush", let fault = foreign(text, issuer: issuer) { return fault }
        return nil
    }

    private func foreign(_ text: String, issuer: String) -> TokenValueFault? {
        if hasAt, dots > 0 { return Self.isObject(text) ? .isEncoded : .emailAddress }
        if text.hasPrefix("+"), (6...16).contains(count), text.dropFirst().allSatisfy(\.isNumber) {
            return .telephoneNumber
        }
        if text.hasPrefix("https://") || text.hasPrefix("http://") { return .isEndpoint }
        if issuer != "expo", text.hasPrefix("ExponentPushToken[") || text.hasPrefix("ExpoPushToken[") {
            return .isExpoToken
        }
        guard Self.issuersOfOwn.contains(issuer) else { return nil }
        if issuer != "fcm", text.contains(":APA91") { return .isFCMToken }
        if isHex, count >= Self.leastBareHex, ["fcm", "hms", "expo"].contains(issuer) { return .isBareHex }
        if issuer == "fcm", Self.isUUID(text) { return .isUUID }
        if Self.isErrorName(text) { return .errorName }
        if hasForeignMark || issuer == "fcm" && (dots > 0 || hasBase64Mark) { return .isEncoded }
        return hasBracket && !Self.isInExpoBrackets(text, issuer: issuer) ? .isEncoded : nil
    }

    /// Issuers whose tokens consist of letters, digits and `-_.:/+=~`, of FCM only `-_:`. Other services pass
    /// on the tokens of these.
    private static let issuersOfOwn: Set = [
        "fcm", "hms", "expo", "xiaomi", "oppo", "vivo", "honor", "onesignal", "sns",
    ]

    private static func isInExpoBrackets(_ text: String, issuer: String) -> Bool {
        issuer == "expo" && text.hasPrefix("Expo") && text.hasSuffix("]") && !text.hasSuffix("[]")
    }

    /// What Java prints for an object: its class and its address.
    private static func isObject(_ text: String) -> Bool {
        text.split(separator: "@").last?.allSatisfy(\.isHexDigit) ?? false
    }

    private static func isErrorName(_ text: String) -> Bool {
        let underscore = UInt8(ascii: "_")
        return text.utf8.allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == underscore
        } && text.utf8.dropFirst().contains(underscore)
    }

    /// Whether the text is a description that `Data`, `Optional`, `NSError` or JavaScript's objects print.
    private static func isDescription(_ text: String) -> Bool {
        text.hasPrefix("{") || text.hasPrefix("Optional(") || text.hasPrefix("[object")
            || text.hasPrefix("ErrorDomain")
            || text.hasPrefix("Error Domain") || text.hasPrefix("Error:") || text.contains("Exception:")
            || text.contains("…")
    }

    private static func isAbsence(_ text: String) -> Bool {
        let word = text.lowercased().filter { $0.isLetter || $0.isNumber }
        return absences.contains(word)
    }

    /// FCM itself returns `BLACKLISTED` in some situations.
    private static let absences: Set<String> = [
        "", "0", "1", "null", "nil", "none", "nan", "na", "no", "false", "true", "undefined", "unknown",
        "unavailable", "notavailable", "missing", "empty", "blank", "blacklisted", "error", "invalid",
        "invalidtoken", "notset", "unset", "todo", "void", "nsnull", "dbnull", "simulator", "notoken",
        "devicetoken", "fcmtoken", "pushtoken", "placeholder", "denied", "token", "string", "test", "n",
        "nat", "novalue", "array", "object", "disabled", "unsupported", "notsupported", "permissiondenied",
        "deleted", "revoked", "expired", "unregistered", "optionalnil",
    ]
}
