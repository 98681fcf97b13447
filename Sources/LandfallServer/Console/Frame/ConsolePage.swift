internal import DeliveryModel
internal import Hummingbird
internal import People
internal import Rendering

/// The content of one page; the frame around it depends on who visits.
struct ConsolePage: Sendable {
    let title: String
    /// Shown as current in the navigation.
    let place: ConsolePlace?
    /// Changes whenever the numbers on the page do; `nil` if no program asks for it again.
    let tag: ReportTag?
    /// Set while the first numbers are being counted, or newer ones again; the browser then asks again soon.
    let counting: Counting?
    /// Whether the page is loaded again when something of its app was recorded.
    let isLive: Bool
    /// Whether a page without a frame is as wide as a report. Other such pages are as narrow as a form.
    let isReport: Bool
    let content: [Markup]

    enum Counting: String { case first, again }

    // Swift 6.3 stores the closure itself if the memberwise initializer takes a builder.
    init(
        title: String, place: ConsolePlace? = nil, tag: ReportTag? = nil, counting: Counting? = nil,
        isLive: Bool = false, isReport: Bool = false, @MarkupBuilder content: () -> [Markup]
    ) {
        (self.title, self.place, self.tag, self.counting) = (title, place, tag, counting)
        (self.isLive, self.isReport, self.content) = (isLive, isReport, content())
    }

    static func problem(_ problem: Problem) -> ConsolePage {
        ConsolePage(title: problem.status.reasonPhrase) {
            h1 { problem.status.reasonPhrase }
            p(class: "headline") { problem.detail.sentence }
            p { a(["href": "/"]) { "All apps" } }
        }
    }

    func response(status: HTTPResponse.Status = .ok, for visit: Visit?) -> Response {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
        if let tag { headers[.eTag] = tag.text }
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: document(for: visit))))
    }

    private func document(for visit: Visit?) -> String {
        let source = isLive ? visit?.app.map { "/apps/\($0.slug)/changes" } : nil
        let main: Markup.Attributes =
            ["id": "main", "tabindex": "-1"] + (source.map { ["data-live": $0] } ?? [:])
            + (tag.map { ["data-tag": $0.text] } ?? [:])
            + (counting.map { ["data-counting": $0.rawValue] } ?? [:])
        return Tag("html")(["lang": "en"]) {
            Tag("head") { head(visit) }
            Tag("body")(class: visit != nil ? "console" : isReport ? "console shared" : "console alone") {
                if let visit { bars(visit) }
                Tag("main")(main) { content }
                if visit != nil { keyboard }
            }
        }.document
    }

    @MarkupBuilder
    private func head(_ visit: Visit?) -> [Markup] {
        let subject = visit?.app.map { " · \($0.slug)" } ?? ""
        Markup.empty("meta", ["charset": "utf-8"])
        Markup.empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
        Markup.empty("meta", ["name": "color-scheme", "content": "light dark"])
        Markup.empty("meta", ["name": "robots", "content": "noindex"])
        Tag("title") { "\(title)\(subject) · Landfall" }
        Markup.empty("link", ["rel": "icon", "href": "data:,"])
        Markup.empty("link", ["rel": "stylesheet", "href": ConsoleAsset.styles.path])
        Tag("script")(["src": ConsoleAsset.script.path, "defer": ""]) {}
        if counting == .first {
            // Loads the page again. If scripts run, the page asks by itself.
            Tag("noscript") { Markup.empty("meta", ["http-equiv": "refresh", "content": "2"]) }
        }
    }

    // MARK: - The frame

    @MarkupBuilder
    private func bars(_ visit: Visit) -> [Markup] {
        let app = visit.app?.slug
        a(class: "skip", ["href": "#main"]) { "Skip to the content" }
        Tag("header")(class: "top") {
            a(class: "brand", ["href": "/"]) { "Landfall" }
            if let app { a(class: "app", ["href": ConsolePlace.today.path(of: app)]) { Markup.name(app) } }
            span(class: "space") {}
            if let app {
                a(class: "find", ["href": ConsolePlace.explain.path(of: app), "accesskey": "/"]) {
                    "Find a notification"
                }
            }
            a(["href": "/glossary"]) { "Glossary" }
            Tag("details")(class: "menu") {
                Tag("summary") { Markup.name(visit.person.name) }
                div {
                    for link in SettingsPages.links(for: visit) { a(["href": link.path]) { link.title } }
                    postForm("/sign-out", visit.session) { button { "Sign out" } }
                    postForm("/sign-out/everywhere", visit.session) { button { "Sign out everywhere" } }
                }
            }
        }
        if let app {
            Tag("nav")(class: "side", ["aria-label": "Pages of \(app)"]) {
                for group in ConsolePlace.groups {
                    div {
                        h2 { group.title }
                        Tag("ul") {
                            for other in group.places {
                                let isCurrent: Markup.Attributes =
                                    other == place ? ["aria-current": "page"] : [:]
                                li { a(["href": other.path(of: app)] + isCurrent) { other.title } }
                            }
                        }
                    }
                }
            }
        }
    }

    /// What console.js listens to.
    private static let keys = [
        ("/", "find a notification, a device or a token"), ("←  →", "in a chart, the next point"),
        ("?", "this list"), ("Esc", "close it"),
    ]

    @MarkupBuilder
    private var keyboard: [Markup] {
        p(class: "announcement", ["role": "status", "aria-live": "polite"]) {}
        Tag("dialog")(class: "keys", ["aria-labelledby": "keys-heading"]) {
            h2(["id": "keys-heading"]) { "Keys" }
            Tag("dl") {
                for (key, meaning) in Self.keys {
                    Tag("dt") { Tag("kbd") { key } }
                    Tag("dd") { meaning }
                }
            }
            Tag("form")(["method": "dialog"]) { button { "Close" } }
        }
    }
}

extension String {
    /// As a sentence of its own: with a capital letter and a period.
    var sentence: String {
        let start = prefix(1).uppercased() + dropFirst()
        return start.last.map { ".?!".contains($0) } ?? true ? start : start + "."
    }
}
