internal import People
internal import Rendering
internal import Wording

/// Something that a person can do from the console. It is asked once, on a page that says what it will do.
struct Act {
    let title: String
    /// What will happen, in sentences.
    let consequences: [String]
    let button: String
    /// Where its form is posted.
    let path: String
    var fields: [(name: String, value: String)] = []
    /// What the person chooses.
    var choices: [Markup] = []
    /// The page for a person who cancels.
    let back: String

    func page(_ place: ConsolePlace?, _ session: Session) -> ConsolePage {
        ConsolePage(
            title, place: place,
            [.element("h1", [:], title)]
                + consequences.map { .element("p", ["class": "headline"], $0) } + [
                    .form(
                        path, session,
                        fields.map { .hidden($0.name, $0.value) } + choices + [
                            .element(
                                "p", ["class": "decision"],
                                [
                                    .element("button", ["class": "primary"], button),
                                    .element("a", ["href": back], "Cancel"),
                                ])
                        ])
                ])
    }
}

extension Visit {
    /// What an act that has just happened reports, at the top of the page that shows its result. The text is in the address, with a
    /// proof that it comes from this session: a link from elsewhere cannot make the console say anything.
    var outcome: [Markup] {
        guard let text = try? parameters.one("done"), let proof = try? parameters.one("proof"),
            session.hasSigned(text, proof)
        else { return [] }
        return [.element("p", ["class": "done", "role": "status"], text)]
    }

    /// The page that shows the result of an act.
    func done(_ path: String, _ text: String) -> String {
        "\(path)?done=\(text.queryEncoded)&proof=\(session.signature(of: text))"
    }
}
