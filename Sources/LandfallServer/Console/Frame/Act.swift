internal import Access
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering
internal import Wording

extension ConsolePage {
    /// Asks once, before something is done, and says in sentences what it will do.
    ///
    /// - Parameters:
    ///   - path: where the form is posted.
    ///   - back: the page for a person who cancels.
    ///   - choices: what the person chooses, and what the form needs besides.
    static func asking(
        _ title: String, place: ConsolePlace? = nil, _ visit: Visit, consequences: [String],
        button words: String, path: String, back: String, @MarkupBuilder choices: () -> [Markup] = { [] }
    ) -> ConsolePage {
        ConsolePage(title: title, place: place) {
            h1 { title }
            for consequence in consequences { p(class: "headline") { consequence } }
            postForm(path, visit.session) {
                choices()
                p(class: "decision") {
                    button(class: "primary") { words }
                    a(["href": back]) { "Cancel" }
                }
            }
        }
    }
}

extension Visit {
    /// Records what the person does, in the transaction that does it.
    func record(
        _ act: String, _ subject: String, in app: App? = nil, on connection: PostgresConnection
    ) throws {
        try Audit.record(
            person, act: act, app: app ?? self.app, subject: subject, address: address.text,
            on: connection)
    }

    /// What an act that has just happened reports, at the top of the page that shows its result. The text is in the address, with a
    /// proof that it comes from this session: a link from elsewhere cannot make the console say anything.
    var outcome: Markup? {
        guard let text = try? parameters.one("done"), let proof = try? parameters.one("proof"),
            session.hasSigned(text, proof)
        else { return nil }
        return p(class: "done", ["role": "status"]) { text }
    }

    /// Leads to the page that shows the result of an act.
    func done(_ path: String, _ text: String) -> Response {
        .seeOther("\(path)?done=\(text.queryEncoded)&proof=\(session.signature(of: text))")
    }
}
