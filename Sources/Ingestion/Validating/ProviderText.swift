internal import DeliveryModel
internal import Foundation

/// What a text that a provider, a library or a proxy wrote says by itself.
enum ProviderText {
    /// The word for a body in another format, such as a proxy's page.
    static let foreignBody = "non-JSON body"

    /// Whether the text is a page and not a provider's words: it begins with a tag. Descriptions of bytes and
    /// objects begin with `<`, too: `<a1b2c3d4 e5f60718>`, `<Response [410]>`, `<class 'BadDeviceToken'>`.
    static func isPage(_ text: String) -> Bool {
        text.hasPrefix("<") || text.first?.isWhitespace == true || text.first == "\u{FEFF}"
            ? text.prefixMatch(
                of: /[\s\x{FEFF}]*<(?:[!?\/]|[A-Za-z][A-Za-z0-9]*(?:\s*[>\/]|:|\s+[A-Za-z:\-]+\s*=))/) != nil
            : false
    }

    /// Whether the text was made of bytes that are none, such as a packed body.
    static func isBinary(_ text: String) -> Bool {
        text.unicodeScalars.first.map { $0.value < 0x20 } ?? false || text.unicodeScalars.contains("\u{FFFD}")
    }

    /// The first line, up to a page that a library has appended to its own words.
    static func firstLine(of text: String) -> String {
        let line = text.prefix { !$0.isNewline && $0 != "\0" }
        guard line.utf8.contains(UInt8(ascii: "<")),
            let page = line.firstMatch(
                of: /(?i)<(?:!doctype|!--|\?xml|(?:html|head|body|title|center|h1|div|p)\b)/)
        else { return String(line) }
        return line[..<page.range.lowerBound].trimmingCharacters(in: .whitespaces)
    }

    /// Without the marks that Python prints around bytes: `b'…'`.
    static func unquoted(_ text: String) -> String {
        let isQuoted = ["'", "\""].contains { text.hasPrefix("b" + $0) && text.hasSuffix($0) }
        return isQuoted && text.utf8.count > 2 ? String(text.dropFirst(2).dropLast()) : text
    }

    /// The value that a text represents: JSON, or the form that Python and Ruby print, such as `{'reason':
    /// 'Unregistered', 'timestamp': None}` and `('Unregistered', 1771990000)`. `nil` for plain text.
    static func value(in text: String) -> Any? {
        switch (text.first, text.last) {
        case ("{", "}"), ("[", "]"): json(text) ?? json(printed: text)
        case ("(", ")"): json(printed: "[\(text.dropFirst().dropLast())]")
        default: nil
        }
    }

    private static func json(_ text: String) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(text.utf8))
    }

    private static func json(printed text: String) -> Any? {
        let literals = ["None": "null", "nil": "null", "True": "true", "False": "false"]
        let text = text.replacing("=>", with: ":").replacing("'", with: "\"")
            .replacing(/\b(?:None|nil|True|False)\b/) { literals[String($0.0)] ?? "null" }
        return json(text)
    }

    /// APNs' timestamp in what a library prints: `timestamp: Some(1771990000000)`,
    /// `Unregistered(1771990000)`, `invalid as of 2026-02-25T03:26:40Z`.
    static func timestamp(in text: String) -> PostedInstant? {
        let start =
            /(?i)(?:timestamp(?:InSeconds|InMilliseconds)?|invalid as of|unregistered|expiredtoken)\W{0,4}(?:(?:some|optional)\W{1,2})?/
        guard digits(in: text) >= 10 else { return nil }
        return text.prefix(longestHead).matches(of: start).lazy.compactMap {
            time(at: text[$0.range.upperBound...])
        }.first
    }

    private static func time(at text: Substring) -> PostedInstant? {
        if let digits = text.prefixMatch(of: /[0-9]{10}(?:[0-9]{3})?\b/)?.0 {
            return Double(digits).flatMap(PostedInstant.init(providers:))
        }
        let instant = Instant(rfc3339: text.prefix { !$0.isWhitespace && $0 != "," && $0 != ")" })
        return instant.flatMap { PostedInstant($0) }
    }

    /// Words of libraries come first; what follows may be a body of any length.
    private static let longestHead = 1_000

    /// The number of digits. Most words have none, and a regex costs more than the rest of a response.
    private static func digits(in text: String) -> Int {
        text.utf8.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// Whether the text is a word that languages print for a missing value.
    static func isAbsent(_ text: String) -> Bool {
        text.utf8.count <= 9
            && ["null", "none", "nil", "undefined", "(null)", "nan"].contains(text.lowercased())
    }

    /// Whether the word only repeats the status of an acceptance, or is the id of a message.
    static func saysAccepted(_ word: String) -> Bool {
        RejectionTaxonomy.repeatsAcceptance(word) || isMessageID(word) || isAcceptingStatus(word)
    }

    /// `HTTP/2 200`, `HTTP/1.1 201 Created`, `200 OK`, `<Response [200]>`.
    private static func isAcceptingStatus(_ word: String) -> Bool {
        word.utf8.count <= 40 && digits(in: word) >= 3
            && word.wholeMatch(
                of:
                    /(?i)\W*(?:(?:http(?:\/[0-9.]+)?|status|response)\W{0,3})?2[0-9]{2}(?:\W+(?:ok|created|accepted|no content))?\W*/
            ) != nil
    }

    static func saysOnlyFailed(_ word: String) -> Bool {
        ["error", "fail", "failed", "failure", "false", "rejected", "nok", "ko"].contains(word.lowercased())
    }

    /// Whether it is a word of an HTTP client or a network: `ERR_BAD_REQUEST`, `ECONNRESET`.
    static func isOfClient(_ word: String) -> Bool {
        (word.hasPrefix("E") || word.hasPrefix("UND_ERR_"))
            && word.wholeMatch(of: /ERR_[A-Z0-9_]+|E[A-Z]{4,}|UND_ERR_[A-Z_]+/) != nil && word != "ERROR"
    }

    /// Whether it is one of FCM's names of messages, a legacy id of GCM, or a UUID.
    static func isMessageID(_ word: String) -> Bool {
        word.wholeMatch(of: /projects\/[^\s\/]+\/messages\/\S+|id=\S+|\d+:\d+%[0-9a-fA-F]+|\d{12,}/) != nil
            || UUID(strict: word) != nil
    }

    /// The status, as in `Request failed with status code 410`, `410 Client Error: Gone for url: …`, ``Client
    /// error: `POST …` resulted in a `410 Gone` response``, `Push failed: <Response [410]>` or `HTTP/2 410`.
    static func status(in text: String) -> Int? {
        guard digits(in: text) >= 3 else { return nil }
        let start = text.prefix(longestHead)
        let named =
            /(?i)\b(?:status|code|failed|error|response|in a|http(?:\/[0-9.]+|[a-z]+))\W{0,3}(?:(?:code|status|response)\W{0,3})?([2-5][0-9]{2})\b/
        let match = start.firstMatch(of: named) ?? start.firstMatch(of: /^\W*([2-5][0-9]{2})(?:\s|\/|$)/)
        return match.flatMap { Int($0.1) }
    }
}
