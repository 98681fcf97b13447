internal import DeliveryModel
internal import Foundation

/// What is recorded of a provider's words that are on no list.
///
/// Libraries put the device token into their sentences, and so do exceptions about an endpoint. A token is a secret: anyone who has it
/// can use it to send pushes, so it is sealed wherever it is kept, and never part of a reason.
enum RecordedWords {
    static let token = "[token]"
    static let endpoint = "[endpoint]"
    /// At the end of words that were longer.
    static let mark = "…"

    /// - Parameter token: the token that the sender posted.
    static func of(_ words: String, token: String?) -> String {
        var text = words.canonicalName
        if let token, token.utf8.count >= shortestToken { text = text.replacing(token: token) }
        text = text.replacingTokens()
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\0" })).shortened
    }

    /// Shorter values are words of a sentence as likely as not.
    private static let shortestToken = 6
}

extension String {
    /// Not more than fit into a column, with a mark if that is not all.
    fileprivate var shortened: String {
        let longest = EventValidator.longestString
        guard unicodeScalars.count > longest else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(longest - 1))) + RecordedWords.mark
    }

    fileprivate func replacing(token: String) -> String {
        var text = self
        for spelling in Set([token, token.removingPercentEncoding ?? token]) {
            text = text.replacingOccurrences(
                of: spelling, with: RecordedWords.token, options: .caseInsensitive)
        }
        return text
    }

    /// Without what looks like a token or an endpoint: URLs, Expo's brackets, hex (with spaces, as descriptions of bytes have it), and
    /// long runs of letters and digits. A repetition that something else has to follow is bounded: otherwise a long text would be
    /// read to its end from each of its places.
    fileprivate func replacingTokens() -> String {
        replacing(/(?i)\bhttps?:\/\/[^\s"'<>)\]}]+/, with: RecordedWords.endpoint)
            .replacing(/Expo(nent)?PushToken\[[^\]\s]*\]?/, with: RecordedWords.token)
            .replacing(/(?i)\b[0-9a-f]{8}(?: [0-9a-f]{8}){2,}\b/, with: RecordedWords.token)
            .replacing(/[A-Za-z0-9_\-]{8,64}:APA91[A-Za-z0-9_\-]*/, with: RecordedWords.token)
            .replacing(/[A-Za-z0-9_+\/=%\-]{16,}/) { match in
                Self.looksLikeToken(match.0) ? RecordedWords.token : String(match.0)
            }
    }

    /// Random text has digits among its letters, wherever it comes from; words and identifiers have few.
    private static func looksLikeToken(_ run: Substring) -> Bool {
        let digits = run.utf8.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let isHex = run.allSatisfy(\.isHexDigit)
        return isHex || digits * 12 >= run.utf8.count && digits >= 2
    }
}
