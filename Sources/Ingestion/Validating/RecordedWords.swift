internal import DeliveryModel
internal import Foundation

/// Makes a provider's unlisted words safe to record.
///
/// Libraries put the device token or the endpoint into their messages. A token is a secret: anyone who has it
/// can send pushes to it, so it is sealed wherever it is stored, and never part of a reason.
enum RecordedWords {
    static let token = "[token]"
    static let endpoint = "[endpoint]"
    /// The mark at the end of words that were cut.
    static let mark = "…"

    static func of(_ words: String, token: String?) -> String {
        var text = words.canonicalName.replacing("\\/", with: "/")
        if let token, token.utf8.count >= shortestToken { text = text.replacing(token: token) }
        text = text.replacingTokens()
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" })).shortened
    }

    /// Shorter values may well be words of a sentence.
    private static let shortestToken = 6
}

extension String {
    /// The text, cut to the longest that a column can store, with a mark if it was longer.
    fileprivate var shortened: String {
        let longest = FieldLimits.text
        guard unicodeScalars.count > longest else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(longest - 1))) + RecordedWords.mark
    }

    fileprivate func replacing(token: String) -> String {
        var text = self
        let encoded = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.unreserved))
        for spelling in Set([token, token.removingPercentEncoding ?? token, encoded ?? token]) {
            text = text.replacingOccurrences(
                of: spelling, with: RecordedWords.token, options: .caseInsensitive)
        }
        return text
    }

    /// The text without anything that looks like a token or an endpoint: URLs, Expo's brackets, hex (with
    /// spaces, as descriptions of bytes have it), and long runs of letters and digits. Repetitions before a
    /// required suffix are bounded: otherwise the time is quadratic in the length of the text.
    fileprivate func replacingTokens() -> String {
        replacing(/(?i)\bhttps?:\/\/[^\s"'<>)\]}]+/, with: RecordedWords.endpoint)
            .replacing(/Expo(nent)?PushToken\[[^\]\s]*\]?/, with: RecordedWords.token)
            .replacing(/(?i)\b[0-9a-f]{8}(?: [0-9a-f]{8}){2,}\b/, with: RecordedWords.token)
            .replacing(/[A-Za-z0-9_\-]{0,64}(?::|%3[Aa])APA91[A-Za-z0-9_\-]*/, with: RecordedWords.token)
            .replacing(/[A-Za-z0-9_+\/=%\-]{16,}/) { match in
                Self.looksLikeToken(match.0) ? RecordedWords.token : String(match.0)
            }
    }

    /// Random text has digits among its letters; words and identifiers have few.
    private static func looksLikeToken(_ run: Substring) -> Bool {
        let digits = run.utf8.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let isHex = run.allSatisfy(\.isHexDigit)
        return isHex || run.utf8.count >= 64 || digits * 12 >= run.utf8.count && digits >= 2
    }
}

extension CharacterSet {
    /// RFC 3986, 2.3, without letters and digits.
    fileprivate static let unreserved = CharacterSet(charactersIn: "-._~")
}
