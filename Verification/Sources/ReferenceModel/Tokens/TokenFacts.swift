internal import Reports

/// The final facts, as texts by subject: the same words on both sides, so that they can be compared.
struct TokenFacts: Sendable {
    private(set) var texts: [String: String] = [:]
    let history: TokenHistory

    init(_ history: TokenHistory) {
        self.history = history
    }

    /// The differences from the expected facts, one line each.
    func differences(from expected: TokenFacts) -> [String] {
        Set(texts.keys).union(expected.texts.keys).sorted().compactMap { name in
            let (found, expected) = (texts[name], expected.texts[name])
            return found == expected
                ? nil : "\(name):\n    \(found ?? "none")\n  expected\n    \(expected ?? "none")"
        }
    }

    mutating func add(_ name: String, _ text: String) { texts[name] = text }

    mutating func add(_ token: TokenRow, ledger: [ReferenceToken.Entry]) {
        add(history.text(token.name), token.text(history))
        for (number, entry) in ledger.enumerated() {
            add("\(history.text(token.name)), row \(number)", text(entry))
        }
    }

    private func text(_ entry: ReferenceToken.Entry) -> String {
        let words = [
            "\(entry.from?.rawValue ?? "new") → \(entry.to.rawValue)", entry.isOfRun ? "of a run" : nil,
            entry.sentAt.map { "sent \(history.clock.text($0))" },
            entry.invalidSince.map { "dead since \(history.clock.text($0))" },
            entry.registeredAt.map { "registered \(history.clock.text($0))" }, entry.environmentVerdict,
            entry.undoneRule.map { "undoes \($0)" },
        ].compactMap { $0 }
        return "\(history.clock.text(entry.at)) \(entry.rule): \(words.joined(separator: ", "))"
    }

    mutating func add(phone: Int, _ row: PhoneRow) {
        let clock = history.clock
        add(
            "phone \(phone)",
            """
            permission '\(row.permission)', version '\(row.appVersion)', registered \
            \(clock.text(row.registeredAt)), heard \(clock.text(row.lifeAt)), erased \
            \(clock.text(row.erasedAt)), accounts: \(row.accounts); permissions: \(row.permissions)
            """)
    }

    /// - Parameters:
    ///   - start: how many were in each state at the first past instant; `end` is the same at the last.
    ///   - moves: how many moved between states in that time, by rule; `nil` if not defined.
    mutating func add(
        _ unit: TokenWaterfall.Unit, start: [String: Int64], end: [String: Int64], moves: [String: Int64]?
    ) {
        let (from, to) = (
            history.clock.text(history.pastBounds.from), history.clock.text(history.pastBounds.to)
        )
        add("\(unit) before \(from)", Self.text(start))
        add("\(unit) before \(to)", Self.text(end))
        if let moves { add("\(unit) from \(from) to \(to)", Self.text(moves)) }
    }

    private static func text(_ counts: [String: Int64]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}

/// The facts of an installation that are compared.
struct PhoneRow: Sendable {
    let permission: String
    let appVersion: String
    let registeredAt: Int64
    let lifeAt: Int64
    let erasedAt: Int64?
    let accounts: String
    let permissions: String
}

/// The facts of a token that are compared.
struct TokenRow: Sendable {
    let name: TokenName
    let state: String
    let cause: String?
    let topic: String
    let owner: Int?
    let hasValue: Bool
    let successor: Int?
    let holdsSlot: Bool
    /// Milliseconds since 1970, like all that follow.
    let registeredAt: Int64?
    let acceptedAt: Int64?
    let firstRejectedAt: Int64?
    let lastRejectedAt: Int64?
    let diedAt: Int64?
    let lifeAt: Int64
    let changedAt: Int64
    let expiresAt: Int64?

    func text(_ history: TokenHistory) -> String {
        let clock = history.clock
        // If a push was accepted, it does not matter which of several rejections the acceptance cleared, and
        // that is not kept.
        let first = acceptedAt == nil ? clock.text(firstRejectedAt) : "any"
        return """
            \(state)/\(cause ?? "–") since \(clock.text(changedAt)), topic '\(topic)', phone \
            \(owner.map { "\($0)" } ?? "–")\(hasValue ? "" : ", no value")\(holdsSlot ? ", in its slot" : "")\
            \(successor.map { ", replaced by \($0)" } ?? ""), registered \(clock.text(registeredAt)), accepted \
            \(clock.text(acceptedAt)), rejected \(first) to \(clock.text(lastRejectedAt)), died \(clock.text(diedAt)), \
            heard \(clock.text(lifeAt)), expires \(clock.text(expiresAt))
            """
    }
}
