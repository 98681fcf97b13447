internal import Access
internal import Hummingbird
internal import Rendering

/// The events that this server recorded last; with script, the page follows them.
struct LivePages: Sendable {
    let tail: EventTail
    let clock: ServerClock
    let streams: OpenStreams

    func addRoutes(to console: ConsoleRoutes) {
        let tails = TailStreams(tail, clock: clock)
        console.page("apps/:app/live") { try page($0) }
        console.get("apps/:app/live/events") { visit, _ in
            try tails.response(for: visit, among: streams)
        }
    }

    private func page(_ visit: Visit) throws -> ConsolePage {
        let app = try visit.requireApp()
        let path = ConsolePlace.live.path(of: app.slug)
        let entries = tail.entries(of: app.appID, at: visit.now)
        return ConsolePage(
            "Live", place: .live,
            [
                .element("h1", [:], "Live"),
                .element(
                    "p", ["class": "caption"],
                    "The newest events that this server has recorded since it started; any other server shows its own."
                ),
                // The script replaces the link by the button.
                .element(
                    "p", ["class": "decision"],
                    [
                        .element("a", ["class": "button again", "href": path], "Load again"),
                        .element("button", ["class": "pause", "type": "button", "hidden": ""], "Pause"),
                    ]),
                TailTable(app: app).markup(entries, source: "\(path)/events"),
            ])
    }
}
