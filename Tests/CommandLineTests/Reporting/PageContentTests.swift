import DeliveryModel
import Testing

@testable import Rendering
@testable import Reports

/// What a page offers to a server that frames it.
@Suite("The content of a page") struct PageContentTests {
    @Test("links names to filters and numbers to the glossary, only if links are given")
    func links() throws {
        let page = try HandMadeDay.funnel(by: .campaign).htmlPage
        let links = PageLinks(
            filter: { "?\($0)=\($1)&x" }, glossary: { "/glossary#\($0)" })
        let text = page.content(links).text
        for link in [
            #"<a href="?campaign=spring sale&amp;x">"#, #"<a href="?campaign=&amp;x">"#,
            #"<a href="/glossary#confirmed">"#, #"<a href="/glossary#click_through">"#,
        ] { #expect(text.contains(link), "\(link)") }
        #expect(text.contains("<a href=\"?campaign=<script>") == false)
        #expect(page.content().text.contains("<a ") == false && page.text.contains("<a ") == false)
        #expect(try HandMadeDay.funnel(by: .hour).htmlPage.content(links).text.contains("?hour=") == false)
    }

    @Test("has no inline style and no script, so that a policy can forbid both")
    func policy() throws {
        for (name, page) in try PageTests.pages() {
            let text = page.content().text
            #expect(text.contains(" style=") == false && text.contains("<style") == false, "\(name)")
            #expect(page.text.contains(text), "\(name)")
        }
    }

    @Test("marks events at their place in every chart over time, and lists them once")
    func marks() throws {
        let day = HandMadeDay.start
        let marks = [
            PageMark(at: day + .hours(10) + .minutes(20), "7.2.0 <released>"),
            PageMark(at: day - .hours(1), "outside"), PageMark(at: HandMadeDay.now + .minutes(30), "future"),
        ]
        let text = try HandMadeDay.funnel(by: .hour).htmlPage.marked(marks).text
        #expect(text.matches(of: /<g class="mark">/).count == 2)
        #expect(text.contains(#"x1="50%" x2="50%" y1="18""#))
        #expect(text.matches(of: /<ol class="marks">/).count == 1 && text.contains("7.2.0 &lt;released&gt;"))
        #expect(text.contains("outside") == false && text.contains("future") == false)
    }

    @Test(
        "says how to post the first event if nothing was recorded, and nothing of it if a filter excludes all"
    )
    func nothing() throws {
        func page(_ filters: [ReportFilter]) throws -> String {
            let report = try FunnelReport(
                frame: HandMadeDay.frame("funnel", by: [], filters: filters), rows: [],
                totals: MeasureCounts(), unmatched: 0)
            return report.htmlPage.text
        }
        let empty = try page([])
        #expect(empty.contains("No notifications of shop in this window."))
        #expect(empty.contains("landfall key create --app shop --kind server") && empty.contains("curl -sS"))
        let filtered = try page([ReportFilter(.campaign, ["no such"])])
        #expect(filtered.contains("Remove a filter") && filtered.contains("curl") == false)
    }
}
