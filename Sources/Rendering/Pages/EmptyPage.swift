internal import DeliveryModel
internal import Reports

/// What a page shows if nothing was recorded: the likely reason, and how to post the first event.
package struct EmptyPage {
    let frame: ReportFrame

    var isFiltered: Bool { !frame.query.filters.isEmpty }

    var headline: String {
        "No \(isFiltered ? "such " : "")notifications of \(frame.query.app.slug) in this window."
    }

    func card(id: String, _ links: PageLinks) -> Markup {
        let steps: [Markup] =
            isFiltered
            ? [.element("p", [:], "Remove a filter, or choose a longer window.")]
            : [
                .element(
                    "p", [:],
                    "Choose a longer window. If the app has never sent anything, post its first event with a server key:"
                ),
                .element(
                    "pre", ["class": "scroll", "tabindex": "0"],
                    Self.command(frame.query.app.slug, links.server).map { .element("span", [:], $0) }),
            ]
        return .card(
            id, isFiltered ? "Nothing matches" : "Nothing was recorded", kind: "card wide empty", steps)
    }

    private static func command(_ app: String, _ server: String) -> [String] {
        [
            #"KEY=$(landfall key create --app \#(app) --kind server)"#,
            #"curl -sS \#(server)/v1/events -H "Authorization: Bearer $KEY" -d '{"#,
            #"  "type": "response", "notification_id": "'$(uuidgen)'", "sent_at": '$(date +%s000)',"#,
            #"  "provider": "apns", "status": 200, "token": "80f4d1a6c3", "topic": "com.example.shop"}'"#,
        ]
    }
}

extension HTMLPage {
    /// The page of a report that found nothing.
    init(nothingIn frame: ReportFrame, title: String) {
        let empty = EmptyPage(frame: frame)
        self.init(
            title: title, subject: frame.query.app.slug, headline: empty.headline,
            facts: ReportHeading(frame: frame, title: title).facts(.page), sections: [.empty(empty)])
    }
}
