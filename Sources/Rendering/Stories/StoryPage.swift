internal import DeliveryModel
internal import Foundation
internal import Reports

protocol ScopedStory {
    var scope: StoryScope { get }
}

/// A story of `landfall explain` as text. The common parts: facts with their names, the ledger, and pushes.
struct StoryPage<Story: ScopedStory> {
    let story: Story
    let style: OutputStyle

    var scope: StoryScope { story.scope }
    var clock: StoryClock { scope.clock }

    func heading(_ title: String) -> [String] {
        [style.paint("\(printable(title)) \(style.dot) \(printable(scope.app.slug))", .title)]
            + fact("as of", "\(clock.local(clock.now)), times are \(clock.timeZone.name)", .aside)
    }

    func section(_ title: String) -> [String] { ["", style.paint(title, .title)] }

    /// A name and its text, wrapped next to it; nothing without a text.
    func fact(_ name: String, _ text: String?, _ ink: Ink? = nil) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return hanging("  \(padded(name, to: 10)) ", text, ink)
    }

    /// The text after a beginning, wrapped under its own first character.
    func hanging(_ beginning: String, _ text: String, _ ink: Ink? = nil) -> [String] {
        let indentation = displayWidth(beginning)
        return folded(printable(text), indentation: indentation, style).enumerated().map { position, line in
            let words = style.paint(String(line.dropFirst(indentation)), ink)
            return position == 0 ? beginning + words : String(repeating: " ", count: indentation) + words
        }
    }

    /// `2026-03-01 09:30:15 (3 days ago)`; `nil` if `instant` is `nil`.
    func time(_ instant: Instant?) -> String? { instant.map(clock.localAndRelative) }

    /// The leading columns of a line: the time, and how long ago it was.
    func when(_ instant: Instant) -> String {
        "  \(clock.local(instant))  \(padded(clock.relative(instant), to: 12))"
    }

    func ink(_ state: String) -> Ink {
        switch TokenState(rawValue: state) {
        case .active: .confirmed
        case .retired: .trouble
        case .suspect, .stale, nil: .caution
        }
    }
}

extension StoryPage {
    /// Every decision in time order: the transition, the evidence for the rule, and the rule in plain words.
    ///
    /// - Parameter namesTokens: true if the ledger contains more than one token.
    func ledger(_ ledger: LedgerExtract, _ names: StoryNames, namesTokens: Bool = false) -> [String] {
        let earlier =
            ledger.earlierCount > 0
            ? [style.paint("  (\(grouped(ledger.earlierCount)) earlier not shown: --limit)", .aside)] : []
        return earlier + ledger.entries.flatMap { decision($0, names, namesTokens: namesTokens) }
    }

    func decision(_ entry: LedgerEntry, _ names: StoryNames, namesTokens: Bool = false) -> [String] {
        let token = namesTokens ? "\(names.token(entry.tokenID))  " : ""
        let heading = "\(when(entry.at)) \(token)\(change(entry))  \(style.paint(entry.ruleName, .aside))"
        let words = entry.evidenceSentences(clock, names).joined(separator: " ")
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
        let senders = scope.senders.map { $0.isEmpty ? "no sender" : printable($0) }
        let of = senders.isEmpty ? "" : " of " + Words.list(senders)
        let title = section("Pushes\(of) since \(clock.local(scope.pushesSince))")
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
