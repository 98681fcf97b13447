internal import DeliveryModel
internal import Foundation
internal import Hummingbird
internal import Ingestion
internal import Rendering
internal import Reports
internal import ServiceLifecycle
internal import Synchronization

/// The events that this server recorded last; with script, the page follows them.
struct LivePages: Sendable {
    let tail: EventTail
    let streams: OpenStreams

    func addRoutes(to console: ConsoleRoutes) {
        let tails = TailStreams(tail)
        console.page(inApp: "live") { page($0, $1) }
        console.get("apps/:app/live/events") { visit, _ in
            try tails.response(for: visit, among: streams)
        }
    }

    private func page(_ visit: Visit, _ app: App) -> ConsolePage {
        let path = ConsolePlace.live.path(of: app.slug)
        return ConsolePage(title: "Live", place: .live) {
            h1 { "Live" }
            p(class: "caption") {
                "The newest events that this server has recorded since it started; any other server shows its own."
            }
            // The script replaces the link by the button.
            p(class: "decision") {
                a(class: "button again", ["href": path]) { "Load again" }
                button(class: "pause", ["type": "button", "hidden": ""]) { "Pause" }
            }
            TailTable(app: app).markup(tail.entries(of: app.appID, at: visit.now), source: "\(path)/events")
        }
    }
}

/// The streams of the pages that follow a tail.
final class TailStreams: Sendable {
    static let most = 50

    private let tail: EventTail
    private let open = Mutex(0)

    init(_ tail: EventTail) { self.tail = tail }

    /// At most one event per second; 503 if too many are open.
    func response(for visit: Visit, among streams: OpenStreams) throws(Problem) -> Response {
        guard let place = takePlace() else {
            throw .unavailable("too_many_streams", "too many live pages are open")
        }
        let app = try visit.requireApp()
        let right = try streams.open(for: visit)
        return .events(retry: 5_000, holding: [place, right]) { [tail, clock = visit.cell.clock] writer in
            var feed = TailFeed(tail, of: app)
            while right.isOpen(), !Task.isShuttingDownGracefully {
                // Rows are rendered on the console's threads, as pages are.
                let event = await withTaskExecutorPreference(ConsoleExecutor.shared) {
                    feed.next(at: clock.now)
                }
                if let event { try await writer.write(ByteBuffer(string: event)) }
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    func takePlace() -> StreamPlace? {
        let isFree = open.withLock { open in
            guard open < Self.most else { return false }
            open += 1
            return true
        }
        return isFree ? StreamPlace { [self] in open.withLock { $0 -= 1 } } : nil
    }
}

/// What a stream sends of an app's tail, as server-sent events: first all rows, later those that are new.
struct TailFeed {
    /// How often in a row nothing may be sent before a comment is due, which shows if a page is gone.
    static let mostSilences = 5

    let tail: EventTail
    let app: App
    /// The number of the last entry that was sent; `nil` before the first event.
    private var last: Int?
    private var silences = 0

    init(_ tail: EventTail, of app: App) { (self.tail, self.app) = (tail, app) }

    /// The next event; `nil` if nothing is due.
    mutating func next(at now: Instant) -> String? {
        let entries = tail.entries(of: app.appID, after: last ?? 0, at: now)
        guard last == nil || !entries.isEmpty else {
            silences += 1
            guard silences >= Self.mostSilences else { return nil }
            silences = 0
            return ":\n\n"
        }
        let event = last == nil ? "all" : "lines"
        (last, silences) = (entries.first?.number ?? last ?? 0, 0)
        let data = Markup(TailTable(app: app).rows(entries)).text
            .split(separator: "\n").map { "data: \($0)\n" }
        return "event: \(event)\n\(data.joined())\n"
    }
}

/// An app's tail as a table; the page and the stream have the same rows.
struct TailTable {
    private static let columns = [
        "Recorded (UTC)", "Event", "Outcome", "Provider's response", "Campaign", "Notification",
    ]

    let app: App

    /// - Parameter source: the address of the stream of further rows.
    func markup(_ entries: [AppTail.Entry], source: String) -> Markup {
        div(class: "card wide tail") {
            div(class: "scroll", ["tabindex": "0", "role": "region", "aria-label": "Events"]) {
                Tag("table") {
                    Tag("thead") { tr { for column in Self.columns { th(["scope": "col"]) { column } } } }
                    Tag("tbody")(["data-tail": source]) { rows(entries) }
                }
            }
        }
    }

    @MarkupBuilder
    func rows(_ entries: [AppTail.Entry]) -> [Markup] {
        if entries.isEmpty {
            tr(class: "none") { aside("Nothing yet. Events appear here once they are posted.", beside: 0) }
        }
        for entry in entries {
            tr {
                let clock = String(LocalTime(entry.at, utcOffsetMinutes: 0).clock.prefix(19))
                td { clock.replacing("T", with: " ") }
                switch entry.content {
                case .line(let line): cells(line)
                case .leftOut(let count):
                    aside("\(Words.count(Int64(count), "more item", "more items")) in this second", beside: 1)
                }
            }
        }
    }

    private func aside(_ words: String, beside cells: Int) -> Markup {
        td(class: "aside", ["colspan": "\(Self.columns.count - cells)"]) { words }
    }

    @MarkupBuilder
    private func cells(_ line: TailLine) -> [Markup] {
        td { line.type ?? "item" }
        switch line.outcome {
        case .accepted: td { "accepted" }
        case .duplicate: td(class: "aside") { "duplicate" }
        case .overQuota: td(class: "trouble") { "over quota" }
        case .rejected(let rejection):
            td(class: "trouble") {
                "rejected: "
                code { rejection.rawValue }
            }
        }
        name(line.response.map(words) ?? "")
        name(line.campaign)
        td { if let name = line.name { link(name) } }
    }

    private func words(_ response: TailLine.Response) -> String {
        let words = responseWords(status: Int64(response.status), reason: response.reason)
        return "\(providerName(response.provider)) \(words)"
    }

    private func name(_ text: String) -> Markup { td { if !text.isEmpty { Markup.name(text) } } }

    /// The id, with a link to its story unless only a token identifies the device.
    @MarkupBuilder
    private func link(_ name: NotificationName) -> [Markup] {
        let id = (name.notificationID ?? name.id).uuidString.lowercased()
        if name.notificationID == nil {
            "message "
            code { id }
        } else {
            a(["href": "\(ConsolePlace.explain.path(of: app.slug))?notification=\(id)"]) { code { id } }
        }
    }
}
