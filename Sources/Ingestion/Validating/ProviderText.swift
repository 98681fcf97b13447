internal import DeliveryModel
internal import Foundation

/// What a text that a provider, a library or a proxy wrote says by itself.
enum ProviderText {
    /// The word for a body in another format, such as a proxy's page.
    static let foreignBody = "non-JSON body"

    /// Whether the text is a page and not a provider's words: it begins with a tag. (A description of bytes begins with `<`,
    /// too.)
    static func isPage(_ text: String) -> Bool {
        text.hasPrefix("<") || text.first?.isWhitespace == true || text.first == "\u{FEFF}"
            ? text.prefixMatch(of: /[\s\x{FEFF}]*<(?:[!?\/]|[A-Za-z]+[\s>\/:])/) != nil : false
    }

    static func firstLine(of text: String) -> String {
        String(text.prefix { !$0.isNewline && $0 != "\0" })
    }

    /// What languages print for a value that is not there.
    static func isAbsent(_ text: String) -> Bool {
        text.utf8.count <= 9
            && ["null", "none", "nil", "undefined", "(null)", "nan"].contains(text.lowercased())
    }

    /// Words that only repeat the status of an acceptance, and ids of messages.
    static func saysAccepted(_ word: String) -> Bool {
        RejectionTaxonomy.repeatsAcceptance(word) || isMessageID(word)
    }

    static func saysOnlyFailed(_ word: String) -> Bool {
        ["error", "fail", "failed", "failure", "false", "rejected", "nok", "ko"].contains(word.lowercased())
    }

    /// `ERR_BAD_REQUEST`, `ECONNRESET`: words of an HTTP client or a network.
    static func isOfClient(_ word: String) -> Bool {
        word.wholeMatch(of: /ERR_[A-Z0-9_]+|E[A-Z]{4,}|UND_ERR_[A-Z_]+/) != nil && word != "ERROR"
    }

    /// FCM's names of messages, legacy ids of GCM, and UUIDs.
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
