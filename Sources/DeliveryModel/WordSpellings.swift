/// Finds the listed word for a library's spelling of it, or for a sentence that contains it.
///
/// Libraries spell one fact differently: `UNREGISTERED`, `Unregistered`,
/// `messaging/registration-token-not-registered`, `UnregisteredError`. Words are therefore compared without
/// case, separators, the library's prefix and an error class's suffix. The exact spelling is preferred.
public struct WordSpellings: Sendable {
    private struct ProviderWord: Hashable {
        let provider: String
        let folded: String
    }

    private struct Narrowing {
        /// A part of a sentence, folded, or an entire text.
        let marker: String
        let isInSentence: Bool
        let word: String

        func matches(_ texts: [String]) -> Bool {
            texts.contains { isInSentence ? WordSpellings.fold($0).contains(marker) : $0 == marker }
        }
    }

    private var exact: Set<ProviderWord> = []
    /// The listed words by their whole spelling, by their last part, and by their last part without a
    /// library's prefix and a class's suffix; all without case and separators.
    private var folded: [[ProviderWord: String]] = [[:], [:], [:]]
    /// Words that a text or marker narrows, such as `INVALID_ARGUMENT+message not a valid …`.
    private var narrowed: [ProviderWord: [Narrowing]] = [:]
    /// Listed sentences, without case and separators.
    private var sentences: [String: [(folded: String, word: String)]] = [:]

    /// A sentence has at least this many words. A shorter one could be part of any other.
    private static let shortestSentence = 3
    /// A single word inside a text counts as a provider's only if it has at least this many characters.
    private static let shortestName = 8

    init(_ rows: some Sequence<RejectionTaxonomy.Key>) {
        let words = rows.filter {
            $0.reason != "*" && $0.reason != "" && $0.reason != RejectionTaxonomy.noResponse
        }
        // In a fixed order, so that the choice between two similar words does not depend on the dictionary.
        for row in words.sorted(by: { ($0.provider, $0.reason) < ($1.provider, $1.reason) }) {
            add(row.reason, of: row.provider)
        }
    }

    private mutating func add(_ word: String, of provider: String) {
        guard exact.insert(ProviderWord(provider: provider, folded: word)).inserted else { return }
        for (rank, key) in Self.keys(of: word).enumerated() where !key.isEmpty {
            let spelling = ProviderWord(provider: provider, folded: key)
            if folded[rank][spelling] == nil { folded[rank][spelling] = word }
        }
        if let plus = word.firstIndex(of: "+") {
            let marker = word[word.index(after: plus)...]
            let sentence = marker.trimmingPrefix("message ")
            let isInSentence = sentence != marker
            let base = ProviderWord(provider: provider, folded: Self.fold(word[..<plus]))
            narrowed[base, default: []].append(
                Narrowing(
                    marker: isInSentence ? Self.fold(sentence) : String(marker), isInSentence: isInSentence,
                    word: word))
        } else if word.split(separator: " ").count >= Self.shortestSentence
            || !word.utf8.allSatisfy({ $0 < 128 })
        {
            sentences[provider, default: []].append((Self.fold(word), word))
        }
    }

    /// Whether the word is listed as it is spelled.
    public func contains(_ word: String, of provider: String) -> Bool {
        exact.contains(ProviderWord(provider: provider, folded: word))
    }

    /// The listed spelling of a word, which the response's other texts may narrow.
    public func listed(_ word: String, of provider: String, texts: [String] = []) -> String? {
        let keys = Self.keys(of: word)
        for key in keys where !texts.isEmpty {
            // A sentence says more than a marker.
            let matching =
                narrowed[ProviderWord(provider: provider, folded: key)]?.filter { $0.matches(texts) } ?? []
            if let found = matching.first(where: \.isInSentence) ?? matching.first { return found.word }
        }
        if exact.contains(ProviderWord(provider: provider, folded: word)) { return word }
        for key in keys where !key.isEmpty {
            let spelling = ProviderWord(provider: provider, folded: key)
            if let found = folded.lazy.compactMap({ $0[spelling] }).first { return found }
        }
        return nil
    }

    /// A listed word inside a sentence: a whole sentence of the provider, a code of several parts
    /// (`not-registered`, `BadDeviceToken`, `80300007`), or a long word exactly as it is listed, if it is
    /// plausible here: it could also be part of another sentence. Other words may mean anything.
    public func listed(
        inText text: String, of provider: String, texts: [String] = [],
        isPlausible: (String) -> Bool = { _ in true }
    ) -> String? {
        let foldedText = Self.fold(text)
        if let sentence = sentences[provider]?.first(where: { foldedText.contains($0.folded) }) {
            return sentence.word
        }
        for token in text.split(whereSeparator: { !$0.isCodePart }) {
            let word = token.trimmingSuffix(while: { $0 == "." || $0 == "-" || $0 == "/" })
            let isExact = exact.contains(ProviderWord(provider: provider, folded: String(word)))
            guard Self.isCode(word) || isExact && isPlausible(String(word)),
                word.count >= Self.shortestName || Self.isNumber(word)
            else { continue }
            if let found = listed(String(word), of: provider, texts: texts) { return found }
        }
        return nil
    }

    /// Whether it looks like an identifier, not a word of a sentence: several parts, or a long number.
    private static func isCode(_ word: Substring) -> Bool {
        if isNumber(word) { return true }
        guard word.contains(where: \.isLetter) else { return false }
        if word.dropFirst().contains(where: { $0 == "-" || $0 == "_" || $0 == "/" }) { return true }
        return zip(word, word.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
    }

    private static func isNumber(_ word: Substring) -> Bool {
        word.count >= 5 && word.allSatisfy { $0.isASCII && $0.isNumber }
    }

    private static func keys(of word: String) -> [String] {
        let last =
            word.contains(" ") ? word[...] : word.split(whereSeparator: { "/\\.:".contains($0) }).last ?? ""
        let part = fold(last)
        var stem = part
        for suffix in ["exception", "error"] where stem.hasSuffix(suffix) && stem.count > suffix.count {
            stem.removeLast(suffix.count)
        }
        let isPrefixed = ["fcm", "gcm", "apns", "apn"].first { stem.hasPrefix($0) && stem.count > $0.count }
        return [fold(word), part, isPrefixed.map { String(stem.dropFirst($0.count)) } ?? stem]
    }

    /// The letters and digits, in lower case.
    public static func fold(_ text: some StringProtocol) -> String {
        let scalars = text.lowercased().unicodeScalars.filter {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension Character {
    fileprivate var isCodePart: Bool {
        isASCII && (isLetter || isNumber) || self == "-" || self == "_" || self == "/" || self == "."
            || self == "\\"
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}
