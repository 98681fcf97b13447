/// A card of text: a finding, its meaning, and the command that shows more.
package struct PageStory {
    let title: String
    let ink: Ink
    let text: String
    let notes: [(name: String, text: String)]
    let command: String

    package init(
        title: String, ink: Ink, text: String, notes: [(name: String, text: String)], command: String
    ) {
        (self.title, self.ink, self.text) = (title, ink, text)
        (self.notes, self.command) = (notes, command)
    }

    func card(id: String) -> Markup {
        let notes = notes.flatMap { note -> [Markup] in
            [.element("dt", [:], note.name), .element("dd", [:], note.text)]
        }
        let more: [Markup] = [
            .element("dt", [:], "more"), .element("dd", [:], [.element("code", [:], command)]),
        ]
        return .element(
            "section", ["class": "card wide story \(ink.pageClass)", "aria-labelledby": "\(id)-heading"],
            [
                .element("h2", ["id": "\(id)-heading"], title), .element("p", [:], text),
                .element("dl", ["class": "notes"], notes + more),
            ])
    }
}
