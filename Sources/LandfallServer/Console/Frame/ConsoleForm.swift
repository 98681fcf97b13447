internal import DeliveryModel
internal import HTTPTypes
internal import Hummingbird
internal import People
internal import PostgresClient
internal import Rendering

struct ConsoleForm: Sendable {
    /// The name of the field that proves that the form is of the session that sends it.
    static let tokenField = "form_token"
    private static let mostBytes = 64 * 1_024

    private let parameters: QueryParameters

    /// - Throws: 403 if a page of another origin sent it, 413 if it is too large, 400 if it is not a form.
    init(_ request: Request) async throws {
        guard Self.isFromHere(request) else {
            throw Problem(
                .forbidden, "other_origin", "this form was sent by a page that is not part of this console")
        }
        let bytes = try await request.body.collect(upTo: Self.mostBytes)
        parameters = try QueryParameters(query: String(buffer: bytes), paths: ["next", "query"])
    }

    /// What the browser states and pages cannot change (https://www.w3.org/TR/fetch-metadata/), or `Origin`.
    static func isFromHere(_ request: Request) -> Bool {
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ request.headers[$0] }) {
            return site == "same-origin"
        }
        guard let origin = request.headers[.origin], let host = request.head.authority else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// The value of a field; empty if it is missing, 400 if it is given more than once.
    func field(_ name: String) throws(Problem) -> String { try parameters.one(name) ?? "" }

    /// - Parameter mistake: the detail of the error if the field is missing or not a number in the range.
    func number(
        _ name: String, in range: ClosedRange<Int64> = Int64.min...Int64.max, or mistake: String
    ) throws(Problem) -> Int64 {
        let problem = Problem.invalidParameter(mistake)
        guard let number = try parameters.number(name, in: range, or: { _ in problem }) else { throw problem }
        return number
    }
}

extension ConsolePage {
    /// Asks once, before something is done, and says in sentences what it will do.
    ///
    /// - Parameter back: the page for a person who cancels.
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

    /// What an act that has just happened reports. The text is in the address, with a proof that it comes
    /// from this session: a link from elsewhere cannot make the console say anything.
    var outcome: Markup? {
        guard let text = try? parameters.one("done"), let proof = try? parameters.one("proof"),
            session.hasSigned(text, proof)
        else { return nil }
        return p(class: "done", ["role": "status"]) { text }
    }

    func done(_ path: String, _ text: String) -> Response {
        .seeOther("\(path)?done=\(text.queryEncoded)&proof=\(session.signature(of: text))")
    }
}
