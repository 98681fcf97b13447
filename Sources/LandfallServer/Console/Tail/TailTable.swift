internal import Access
internal import DeliveryModel
internal import Foundation
internal import Ingestion
internal import Instants
internal import Rendering
internal import Reports
internal import Wording

/// An app's tail as a table; the page and the stream have the same rows.
struct TailTable {
    private static let columns = [
        "Recorded (UTC)", "Event", "Outcome", "Provider's response", "Campaign", "Notification",
    ]

    let app: App

    /// - Parameter source: the address of the stream of further rows.
    func markup(_ entries: [AppTail.Entry], source: String) -> Markup {
        let head = Markup.element(
            "tr", [:], Self.columns.map { .element("th", ["scope": "col"], $0) })
        let table = Markup.element(
            "table", [:],
            [
                .element("thead", [:], [head]),
                .element("tbody", ["data-tail": source], rows(entries)),
            ])
        let region: Markup.Attributes = [
            "class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Events",
        ]
        return .element("div", ["class": "card wide tail"], [.element("div", region, [table])])
    }

    /// In the order of the entries.
    func rows(_ entries: [AppTail.Entry]) -> [Markup] {
        guard !entries.isEmpty else {
            return [wideRow(["class": "none"], [], "Nothing yet. Events appear here once they are posted.")]
        }
        return entries.map { entry in
            let time = Markup.element("td", [:], time(entry.at))
            switch entry.content {
            case .line(let line): return row(time, line)
            case .leftOut(let count):
                let items = Words.count(Int64(count), "more item", "more items")
                return wideRow([:], [time], "\(items) in this second")
            }
        }
    }

    private func wideRow(_ attributes: Markup.Attributes, _ cells: [Markup], _ words: String) -> Markup {
        let width = "\(Self.columns.count - cells.count)"
        return .element(
            "tr", attributes, cells + [.element("td", ["class": "aside", "colspan": width], words)])
    }

    private func row(_ time: Markup, _ line: TailLine) -> Markup {
        .element(
            "tr", [:],
            [
                time, .element("td", [:], line.type ?? "item"), outcome(line.outcome),
                name(line.response.map(words) ?? ""), name(line.campaign),
                .element("td", [:], line.name.map(link) ?? []),
            ])
    }

    private func time(_ instant: Instant) -> String {
        String(LocalTime(instant, utcOffsetMinutes: 0).clock.prefix(19)).replacing("T", with: " ")
    }

    private func outcome(_ outcome: TailLine.Outcome) -> Markup {
        switch outcome {
        case .accepted: .element("td", [:], "accepted")
        case .duplicate: .element("td", ["class": "aside"], "duplicate")
        case .overQuota: .element("td", ["class": "trouble"], "over quota")
        case .rejected(let code):
            .element(
                "td", ["class": "trouble"],
                [Markup("rejected: "), .element("code", [:], code.rawValue)])
        }
    }

    private func words(_ response: TailLine.Response) -> String {
        let words = responseWords(status: Int64(response.status), reason: response.reason)
        return "\(providerName(response.provider)) \(words)"
    }

    private func name(_ text: String) -> Markup {
        .element("td", [:], text.isEmpty ? [] : [.name(text)])
    }

    /// The id, with a link to its story unless only a token identifies the device.
    private func link(_ name: NotificationName) -> [Markup] {
        let id = (name.notificationID ?? name.id).uuidString.lowercased()
        let code = Markup.element("code", [:], id)
        guard name.notificationID != nil else { return [Markup("message "), code] }
        let story = "\(ConsolePlace.explain.path(of: app.slug))?notification=\(id)"
        return [.link(to: story, code)]
    }
}
