internal import Access
internal import Rendering

/// The content of a page that has to be counted.
struct PageContent: Sendable {
    let title: String
    let markup: [Markup]
    /// `nil` if no program asks for the page again.
    var tag: ReportTag?
}

/// Contents of pages, shared by everyone who looks at the same address.
typealias RecentPages = Recent<PageContent>

extension RecentPages {
    /// The page of an address: with its content, or with the one from before, or without any while the first is counted.
    ///
    /// - Parameters:
    ///   - title: the page's title until there is a content.
    ///   - before: shown above the content.
    ///   - read: its result depends on the app, the origin and the address, not on the person.
    func page(
        _ title: String, _ place: ConsolePlace?, _ before: [Markup] = [], for visit: Visit,
        _ read: @escaping @Sendable () async throws -> PageContent
    ) async throws -> ConsolePage {
        let address = PageAddress(path: visit.path, visit.parameters)
        let question = [visit.app.map { "\($0.appID)" } ?? "", visit.origin ?? "", address.text]
        switch try await answer(question.joined(separator: " "), read) {
        case .latest(let content):
            return ConsolePage(
                content.title, place: place, tag: content.tag, isLive: true, before + content.markup)
        case .earlier(let content):
            return ConsolePage(
                content.title, place: place, counting: .again, isLive: true, before + content.markup)
        case .reading:
            return ConsolePage(
                title, place: place, counting: .first, isLive: true, before + [ConsolePage.waiting(title)])
        }
    }
}

extension ConsolePage {
    /// Shown instead of numbers that are not there yet.
    static func waiting(_ title: String) -> Markup {
        Markup([
            .element("h1", [:], title),
            .element(
                "p", ["class": "headline", "role": "status"],
                "Counting. The numbers appear here in a few seconds."),
        ])
    }
}
