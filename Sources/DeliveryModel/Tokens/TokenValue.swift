internal import Foundation

/// A device token's value: as it was posted, and as its issuer identifies it.
public struct TokenValue: Sendable {
    /// The form that all spellings of one token share. Fingerprints are computed from it.
    public let canonical: String
    /// The value to send to.
    public let text: String

    /// The token of this issuer that the text denotes, or why it cannot be one, wherever it comes from.
    public static func read(_ text: String, issuer: String) -> Result<TokenValue, TokenValueFault> {
        var text = text
        let spelling = text.withUTF8 { Spelling($0) }
        if let fault = spelling.fault(of: text, issuer: issuer) { return .failure(fault) }
        switch issuer {
        case "apns":
            if let hex = Self.hex(inBrackets: text, spelling) {
                guard hex.contains(where: { $0 != "0" }) else { return .failure(.zeros) }
                return .success(TokenValue(canonical: hex, text: hex))
            }
            guard spelling.isHex, spelling.count.isMultiple(of: 2) else { return .failure(.notHex) }
            return .success(
                TokenValue(canonical: spelling.hasUpperCaseHex ? text.lowercased() : text, text: text))
        case "webpush":
            guard let endpoint = PushEndpoint(text) else { return .failure(.notAnEndpoint) }
            guard !endpoint.isGone else { return .failure(.endpointIsGone) }
            return .success(TokenValue(canonical: endpoint.canonical, text: text))
        default:
            return .success(TokenValue(canonical: Self.canonical(text, issuer: issuer), text: text))
        }
    }

    /// The hex digits of a description of `Data`, which older systems printed in full: `<a1b2c3d4 e5f60718>`.
    private static func hex(inBrackets text: String, _ spelling: Spelling) -> String? {
        guard spelling.isBracketed else { return nil }
        let digits = text.dropFirst().dropLast().filter { $0 != " " }
        let isHex = digits.allSatisfy { $0.isASCII && $0.isHexDigit } && !digits.isEmpty
        return isHex && digits.utf8.count.isMultiple(of: 2) ? digits.lowercased() : nil
    }

    /// Expo has two names for its tokens, and OneSignal's are UUIDs. Case counts in all other values.
    private static func canonical(_ text: String, issuer: String) -> String {
        switch issuer {
        case "expo" where text.hasPrefix("ExpoPushToken["):
            "ExponentPushToken[" + text.dropFirst("ExpoPushToken[".count)
        case "expo" where Spelling.isUUID(text), "onesignal" where Spelling.isUUID(text): text.lowercased()
        default: text
        }
    }
}

private struct PushEndpoint {
    let canonical: String
    private let host: Substring

    /// Whether the browser no longer had a subscription, and wrote a host that never resolves (RFC 6761).
    var isGone: Bool { host.hasSuffix(".invalid") || host == "invalid" }

    /// `nil` if it is not an https address with a path. A host on the same machine may use http, for tests.
    ///
    /// Addresses are equal by RFC 3986, 6.2.2 if they differ only in the case of scheme, host and
    /// percent-encoded digits, or name the default port. FCM serves one subscription under three paths: a
    /// widespread library stores one and reports another.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        let rest = text[text.index(after: colon)...]
        guard scheme == "https" || scheme == "http", rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var path = rest[authority.endIndex...]
        var host = Substring(authority.lowercased())
        if scheme == "https", host.hasSuffix(":443") { host = host.dropLast(4) }
        let name = host.prefix { $0 != ":" }
        guard !name.isEmpty, !host.contains("@"), path.utf8.count > 1 else { return nil }
        guard scheme == "https" || name == "localhost" || name == "127.0.0.1" else { return nil }
        self.host = name
        let isOfFCM = ["fcm.googleapis.com", "android.googleapis.com"].contains(host)
        if isOfFCM, let prefix = ["/wp/", "/gcm/send/", "/fcm/send/"].first(where: { path.hasPrefix($0) }) {
            guard path.utf8.count > prefix.utf8.count else { return nil }
            host = "fcm.googleapis.com"
            path = "/fcm/send/" + path.dropFirst(prefix.count)
        }
        canonical =
            "\(scheme)://\(host)"
            + (path.utf8.contains(UInt8(ascii: "%")) ? Self.upperCasedDigits(path) : path)
    }

    private static func upperCasedDigits(_ path: Substring) -> Substring {
        var bytes = Array(path.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            for digit in bytes.index(after: index)..<min(index + 3, bytes.endIndex)
            where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(bytes[digit]) {
                bytes[digit] -= 0x20
            }
        }
        return Substring(decoding: bytes, as: UTF8.self)
    }
}

/// The properties of a value, found in one pass over its bytes, because every response names a token.
struct Spelling {
    let count: Int
    /// White space or control characters.
    private(set) var hasSpace = false
    private(set) var isHex = true
    private(set) var hasUpperCaseHex = false
    private(set) var hasAt = false
    private(set) var dots = 0
    /// Whether it consists of zeros, perhaps in the groups of a UUID.
    private(set) var hasOnlyZeros = true
    private(set) var hasBracket = false
    /// `/`, `+`, `=` or `~`.
    private(set) var hasBase64Mark = false
    /// A character that appears in endpoints, descriptions and encodings, but not in tokens.
    private(set) var hasForeignMark = false
    let isBracketed: Bool
    /// Whether it may be a printed object or error: only then is it searched for their words.
    private(set) var mayBeDescription: Bool

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        count = bytes.count
        isBracketed = bytes.first == UInt8(ascii: "<") && bytes.last == UInt8(ascii: ">")
        mayBeDescription = bytes.first.map { "{[OE".utf8.contains($0) } ?? false
        for byte in bytes {
            if byte != UInt8(ascii: "0"), byte != UInt8(ascii: "-") { hasOnlyZeros = false }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): break
            case UInt8(ascii: "A")...UInt8(ascii: "F"): hasUpperCaseHex = true
            case UInt8(ascii: "@"): (isHex, hasAt) = (false, true)
            case UInt8(ascii: "."): (isHex, dots) = (false, dots + 1)
            case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "G")...UInt8(ascii: "Z"),
                UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "_"):
                isHex = false
            case UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: "~"):
                (isHex, hasBase64Mark) = (false, true)
            case UInt8(ascii: "["), UInt8(ascii: "]"): (isHex, hasBracket) = (false, true)
            default:
                (isHex, hasForeignMark) = (false, true)
                if byte <= 0x20 || byte == 0x7F { hasSpace = true }
                if byte <= 0x20 || byte >= 0x7F { mayBeDescription = true }
            }
        }
    }

    static func isUUID(_ text: String) -> Bool { text.utf8.count == 36 && UUID(strict: text) != nil }
}
