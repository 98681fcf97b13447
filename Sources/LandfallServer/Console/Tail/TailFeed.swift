internal import Access
internal import Instants
internal import Rendering

/// What a stream sends of an app's tail, as server-sent events: first all rows, later those that are new.
struct TailFeed {
    /// How often in a row there may be nothing to send, before a comment is due, by which the server notices that a page is gone.
    static let mostSilences = 5

    let tail: EventTail
    let app: App
    /// The number of the last entry that was sent; `nil` before the first event.
    private var last: Int?
    private var silences = 0

    init(_ tail: EventTail, of app: App) {
        (self.tail, self.app) = (tail, app)
    }

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
