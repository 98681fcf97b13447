internal import DeliveryModel
internal import Foundation

/// What a text that a provider, a library or a proxy wrote says by itself.
enum ProviderText {
    /// The word for a body in another format, such as a proxy's page.
    static let foreignBody = "non-JSON body"

    /// Whether the text is a page and not a provider's words: it begins with a tag. A description of bytes only
    /// begins with `<`.
    static func isPage(_ text: String) -> Bool {
        text.hasPrefix("<") || text.first?.isWhitespace == true || text.first == "\u{FEFF}"
            ? text.prefixMatch(of: /[\s\x{FEFF}]*<(?:[!?\/]|[A-Za-z]+[\s>\/:])/) != nil : false
    }

    static func firstLine(of text: String) -> String {
        String(text.prefix { !$0.isNewline && $0 != "\0" })
    }

    /// Whether the text is a word that languages print for a missing value.
    static func isAbsent(_ text: String) -> Bool {
        text.utf8.count <= 9
            && ["null", "none", "nil", "undefined", "(null)", "nan"].contains(text.lowercased())
    }

    /// Whether the word only repeats the status of an acceptance, or is the id of a message.
    static func saysAccepted(_ word: String) -> Bool {
        RejectionTaxonomy.repeatsAcceptance(word) || isMessageID(word)
    }

    static func saysOnlyFailed(_ word: String) -> Bool {
        ["error", "fail", "failed", "failure", "false", "rejected", "nok", "ko"].contains(word.lowercased())
    }

    /// Whether it is a word of an HTTP client or a network: `ERR_BAD_REQUEST`, `ECONNRESET`.
    static func isOfClient(_ word: String) -> Bool {
        word.wholeMatch(of: /ERR_[A-Z0-9_]+|E[A-Z]{4,}|UND_ERR_[A-Z_]+/) != nil && word != "ERROR"
    }

    /// Whether it is one of FCM's names of messages, a legacy id of GCM, or a UUID.
    static func isMessageID(_ word: String) -> Bool {
        word.wholeMatch(of: /projects\/[^\s\/]+\/messages\/\S+|id=\S+|\d+:\d+%[0-9a-fA-F]+|\d{12,}/) != nil
            || UUID(strict: word) != nil
    }

    /// The status in a sentence such as `Request failed with status code 410`, `410 Client Error: Gone for url: …` or
    /// `Push failed: 410 Gone`.
    static func status(in text: String) -> Int? {
        let start = text.prefix(200)
        let match =
            start.firstMatch(
                of:
                    /(?i)\b(?:status|code|failed|http\/[0-9.]+)\W{0,3}(?:code\W{0,3}|status\W{0,3})?([1-5][0-9]{2})\b/
            )
            ?? start.firstMatch(of: /(?i)^\W*([1-5][0-9]{2}) (?:client|server) error\b/)
        return match.flatMap { Int($0.1) }
    }
}
