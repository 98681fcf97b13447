internal import Reports

/// A card of text: a finding, its meaning, and the command that shows more.
package struct PageStory {
    let title: String
    let ink: Ink
    /// Empty if the notes say everything.
    var text = ""
    let notes: [(name: String, text: String)]
    var command: String?
    /// A link to what a person can do about it.
    var act: (text: String, place: String)?

    func card(id: String) -> Markup {
        let words = text.isEmpty ? [] : [Markup.element("p", [:], text)]
        var notes = notes.flatMap { note -> [Markup] in
            [.element("dt", [:], note.name), .element("dd", [:], note.text)]
        }
        if let command {
            notes += [.element("dt", [:], "more"), .element("dd", [:], [.element("code", [:], command)])]
        }
        let link = act.map { act in
            Markup.element("p", ["class": "acts"], [.element("a", ["href": act.place], act.text)])
        }
        return .card(
            id, title, kind: "card wide story \(ink.pageClass)",
            words + [.element("dl", ["class": "notes"], notes)] + [link].compactMap(\.self))
    }
}
