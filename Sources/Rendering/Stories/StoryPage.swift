internal import Access
internal import DeliveryModel
internal import Instants
internal import Reports

/// The common parts of all stories as text: facts with their names, the ledger, and pushes.
struct StoryPage {
    let scope: StoryScope
    let style: OutputStyle

    private static let nameWidth = 10

    func heading(_ title: String) -> [String] {
        let clock = scope.clock
        return [style.paint("\(printable(title)) \(style.dot) \(printable(scope.app.slug))", .title)]
            + fact("as of", "\(clock.local(clock.now)), times are \(clock.timeZone.name)", .aside)
    }

    func section(_ title: String) -> [String] { ["", style.paint(title, .title)] }

    /// A name and its text, wrapped next to it; nothing without a text.
    func fact(_ name: String, _ text: String?, _ ink: Ink? = nil) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return hanging("  \(padded(name, to: Self.nameWidth)) ", text, ink)
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
    func time(_ instant: Instant?) -> String? { instant.map(scope.clock.localAndRelative) }

    /// The leading columns of a line: the time, and how long ago it was.
    func when(_ instant: Instant) -> String {
        "  \(scope.clock.local(instant))  \(padded(scope.clock.relative(instant), to: 12))"
    }

    func ink(_ state: String) -> Ink {
        switch TokenState(rawValue: state) {
        case .active: .confirmed
        case .retired: .trouble
        case .suspect, .stale, nil: .caution
        }
    }
}
