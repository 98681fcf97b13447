internal import Access
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import People
internal import Rendering

/// The content of one page; the frame around it depends on who visits.
struct ConsolePage: Sendable {
    let title: String
    let content: [Markup]
    /// Shown as current in the navigation.
    var place: ConsolePlace?
    /// Changes whenever the numbers on the page do; `nil` if no program asks for it again.
    var tag: ReportTag?
    /// Set while numbers of the page are being counted; the browser then asks again soon.
    var counting: Counting?
    /// Whether the page is loaded again when something of its app was recorded.
    var isLive = false
    /// Whether a page without a frame is as wide as a report. Other pages without a frame are as narrow as a form.
    var isReport = false

    enum Counting: String {
        /// The page has no numbers yet.
        case first
        /// It has those from before.
        case again
    }

    init(
        _ title: String, place: ConsolePlace? = nil, tag: ReportTag? = nil, counting: Counting? = nil,
        isLive: Bool = false, _ content: [Markup]
    ) {
        (self.title, self.content) = (title, content)
        (self.place, self.tag, self.counting, self.isLive) = (place, tag, counting, isLive)
    }

    static func problem(_ problem: Problem) -> ConsolePage {
        ConsolePage(
            problem.status.reasonPhrase,
            [
                .element("h1", [:], problem.status.reasonPhrase),
                .element("p", ["class": "headline"], problem.detail.sentence),
                .element("p", [:], [.link(to: "/", Markup("All apps"))]),
            ])
    }

    /// The whole document, with the frame of the visitor.
    func response(status: HTTPResponse.Status = .ok, for visit: Visit?) -> Response {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
        if let tag { headers[.eTag] = tag.text }
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: document(for: visit))))
    }

    private func document(for visit: Visit?) -> String {
        let frame = ConsoleFrame(visit: visit, place: place)
        let main = Markup.element(
            "main",
            ["id": "main", "tabindex": "-1"] + (liveSource(visit).map { ["data-live": $0] } ?? [:])
                + (tag.map { ["data-tag": $0.text] } ?? [:])
                + (counting.map { ["data-counting": $0.rawValue] } ?? [:]),
            content)
        return Markup.element(
            "html", ["lang": "en"],
            [
                .element("head", [:], head(visit)),
                .element(
                    "body",
                    ["class": visit != nil ? "console" : isReport ? "console shared" : "console alone"],
                    frame.before + [main] + frame.after),
            ]
        ).document
    }

    private func liveSource(_ visit: Visit?) -> String? {
        guard isLive, let app = visit?.app else { return nil }
        return "/apps/\(app.slug)/changes"
    }

    /// A link that loads the page again. If scripts run, the page asks by itself.
    private static let reload = Markup.element(
        "noscript", [:], [.empty("meta", ["http-equiv": "refresh", "content": "2"])])

    private func head(_ visit: Visit?) -> [Markup] {
        let subject = visit?.app.map { " · \($0.slug)" } ?? ""
        return [
            .empty("meta", ["charset": "utf-8"]),
            .empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
            .empty("meta", ["name": "color-scheme", "content": "light dark"]),
            .empty("meta", ["name": "robots", "content": "noindex"]),
            .element("title", [:], "\(title)\(subject) · Landfall"),
            .empty("link", ["rel": "icon", "href": "data:,"]),
            .empty("link", ["rel": "stylesheet", "href": ConsoleAsset.styles.path]),
            .element("script", ["src": ConsoleAsset.script.path, "defer": ""]),
        ] + (counting == .first ? [Self.reload] : [])
    }
}

/// What surrounds every page: the bar with the app, the navigation, and the person's menu.
private struct ConsoleFrame {
    let visit: Visit?
    let place: ConsolePlace?

    var before: [Markup] {
        guard let visit else { return [] }
        let skip = Markup.element("a", ["class": "skip", "href": "#main"], "Skip to the content")
        return [skip, .element("header", ["class": "top"], bar(visit))]
            + (visit.app.map { [navigation($0.slug)] } ?? [])
    }

    var after: [Markup] {
        guard visit != nil else { return [] }
        return [
            .element("p", ["class": "announcement", "role": "status", "aria-live": "polite"], ""),
            .element(
                "dialog", ["class": "keys", "aria-labelledby": "keys-heading"],
                [
                    .element("h2", ["id": "keys-heading"], "Keys"),
                    .element(
                        "dl", [:],
                        Self.keys.flatMap { key, meaning in
                            [
                                .element("dt", [:], [.element("kbd", [:], key)]),
                                .element("dd", [:], meaning),
                            ]
                        }),
                    .element("form", ["method": "dialog"], [.element("button", [:], "Close")]),
                ]),
        ]
    }

    /// What console.js listens to.
    private static let keys = [
        ("/", "find a notification, a device or a token"), ("←  →", "in a chart, the next point"),
        ("?", "this list"), ("Esc", "close it"),
    ]

    private func bar(_ visit: Visit) -> [Markup] {
        let brand = Markup.element("a", ["class": "brand", "href": "/"], "Landfall")
        let app = visit.app.map { app -> [Markup] in
            [
                .element(
                    "a", ["class": "app", "href": ConsolePlace.today.path(of: app.slug)], [.name(app.slug)])
            ]
        }
        let search = visit.app.map { app -> [Markup] in
            [
                .element(
                    "a",
                    ["class": "find", "href": ConsolePlace.explain.path(of: app.slug), "accesskey": "/"],
                    "Find a notification")
            ]
        }
        return [brand] + (app ?? []) + [.element("span", ["class": "space"])] + (search ?? [])
            + [.element("a", ["href": "/glossary"], "Glossary"), menu(visit)]
    }

    private func menu(_ visit: Visit) -> Markup {
        let settings = SettingsPages.links(for: visit)
        return .element(
            "details", ["class": "menu"],
            [
                .element("summary", [:], [.name(visit.person.name)]),
                .element(
                    "div", [:],
                    settings.map { .element("a", ["href": $0.0], $0.1) } + [
                        .form(
                            "/sign-out", visit.session,
                            [.element("button", [:], "Sign out")]),
                        .form(
                            "/sign-out/everywhere", visit.session,
                            [.element("button", [:], "Sign out everywhere")]),
                    ]),
            ])
    }

    private func navigation(_ app: String) -> Markup {
        .element(
            "nav", ["class": "side", "aria-label": "Pages of \(app)"],
            ConsolePlace.groups.map { group in
                .element(
                    "div", [:],
                    [
                        .element("h2", [:], group.title),
                        .element("ul", [:], group.places.map { item($0, app) }),
                    ])
            })
    }

    private func item(_ item: ConsolePlace, _ app: String) -> Markup {
        let isCurrent: Markup.Attributes = item == place ? ["aria-current": "page"] : [:]
        return .element(
            "li", [:], [.element("a", ["href": item.path(of: app)] + isCurrent, item.title)])
    }
}

extension String {
    /// As a sentence of its own: with a capital letter and a period.
    var sentence: String {
        let start = prefix(1).uppercased() + dropFirst()
        return start.last.map { ".?!".contains($0) } ?? true ? start : start + "."
    }
}
