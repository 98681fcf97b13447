internal import Foundation
internal import Reports

extension StoryPage {
    /// Every decision in time order: the transition, then the evidence for the rule, then the rule in plain words.
    ///
    /// - Parameter namesTokens: true if the ledger contains more than one token.
    func ledger(_ ledger: LedgerExtract, _ names: StoryNames, namesTokens: Bool = false) -> [String] {
        let earlier =
            ledger.earlierCount > 0
            ? ["  (\(grouped(ledger.earlierCount)) earlier not shown: --limit)"].map {
                style.paint($0, .aside)
            }
            : []
        return earlier + ledger.entries.flatMap { lines($0, names, namesTokens: namesTokens) }
    }

    func lines(_ entry: LedgerEntry, _ names: StoryNames, namesTokens: Bool = false) -> [String] {
        let token = namesTokens ? "\(names.token(entry.tokenID))  " : ""
        let heading = "\(when(entry.at)) \(token)\(change(entry))  \(style.paint(entry.ruleName, .aside))"
        let words = entry.evidenceSentences(scope.clock, names).joined(separator: " ")
        return [heading] + (words.isEmpty ? [] : hanging("      ", words, .aside))
            + hanging("      ", entry.words.sentence)
    }

    /// `new → active`, `active → retired`, `stays active`.
    private func change(_ entry: LedgerEntry) -> String {
        let to = style.paint(entry.toState, ink(entry.toState))
        guard entry.changesState else { return "stays \(to)" }
        return "\(entry.fromState ?? "new") \(style.arrow) \(to)"
    }

    /// One push after the other: when it was sent, its outcome, its id.
    func pushes(_ pushes: [PushRecord]) -> [String] {
        let title = section("Pushes since \(scope.clock.local(scope.pushesSince))")
        guard !pushes.isEmpty else {
            return title + [style.paint("  none on record; --since 60d looks further back", .aside)]
        }
        return title
            + pushes.flatMap { push in
                hanging(
                    "\(when(push.sentAt)) ", "\(push.fate)  \(push.notificationID.uuidString.lowercased())")
            }
    }
}
