import Foundation
import Reports
import Testing

@testable import Dashboards
@testable import Rendering

@Suite("A page") struct PageTests {
    static func pages() throws -> [String: HTMLPage] {
        [
            "funnel": try HandMadeDay.funnel(by: nil).htmlPage,
            "funnel-by-campaign": try HandMadeDay.funnel(by: .campaign).htmlPage,
            "funnel-by-hour": try HandMadeDay.funnel(by: .hour).htmlPage,
            "clicks-by-campaign": try HandMadeDay.clicks(by: .campaign).htmlPage,
            "clicks-by-action": try HandMadeDay.clicksByAction().htmlPage,
            "reach-by-campaign": try HandMadeDay.reach(by: .campaign).htmlPage,
            "reach-sketched": try HandMadeDay.sketchedReach().htmlPage,
            "latency-compared": try HandMadeDay.comparedLatency().htmlPage,
            "today": try HandMadeDay.todayPage().htmlPage,
            "zombies": HandMadeDay.zombies.htmlPage,
            "deaths": HandMadeDay.deaths.htmlPage,
            "loss": try HandMadeDay.loss().htmlPage,
            "rejections": try HandMadeDay.rejections().htmlPage,
            "latency": try HandMadeDay.latency().htmlPage,
            "extension": try HandMadeDay.extensionHealth().htmlPage,
            "permissions": try HandMadeDay.permissions().htmlPage,
            "permissions-by-campaign": try HandMadeDay.optOuts().htmlPage,
            "tokens": HandMadeDay.tokens.htmlPage,
            "waterfall": try HandMadeDay.waterfall().htmlPage,
            "doctor": HandMadeDay.doctor.htmlPage,
        ]
    }

    /// Pages that consist of words only.
    static let withoutPictures: Set = ["doctor"]

    @Test("has no script, loads nothing, and forbids both to itself")
    func selfContained() throws {
        for (name, page) in try Self.pages() {
            let text = page.text
            #expect(text.contains("default-src &#39;none&#39;"), "\(name)")
            for forbidden in [
                "<script", "<link", "<img", "<iframe", "http:", "https:", "url(", "@import", "src=",
            ] {
                #expect(text.contains(forbidden) == false, "\(name): \(forbidden)")
            }
        }
    }

    @Test("shows names as they are, and never as markup")
    func escaping() throws {
        let text = try #require(try Self.pages()["funnel-by-campaign"]).text
        #expect(
            text.contains("<bdi>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;</bdi>")
        )
        #expect(text.contains("夏のセール 🎉"))
        let attribute = Markup.element("p", ["title": "\"><script>"], "a\u{1B}[2J\u{202E}b")
        #expect(attribute.text == "<p title=\"&quot;&gt;&lt;script&gt;\">a\\u001b[2J\\u202eb</p>")
    }

    @Test("describes its charts for screen readers, each id once")
    func accessible() throws {
        for (name, page) in try Self.pages() {
            let text = page.text
            let pictures = text.matches(of: /<svg role="img"[^>]* aria-labelledby="([^"]+)"/)
            #expect(text.contains("<svg") != Self.withoutPictures.contains(name), "\(name)")
            // Axes, and bars next to their numbers, contain nothing that the text does not state.
            let silent = text.matches(of: /<svg[^>]* aria-hidden="true"/)
            #expect(pictures.count + silent.count == text.matches(of: /<svg/).count, "\(name)")
            for picture in pictures {
                for id in picture.1.split(separator: " ") {
                    #expect(text.components(separatedBy: "id=\"\(id)\"").count == 2, "\(name): \(id)")
                }
            }
            let ids = text.matches(of: #/ id="([^"]+)"/#).map(\.1)
            #expect(Set(ids).count == ids.count, "\(name)")
        }
    }

    @Test("has the exact numbers in its tables, and states their app, window and instant")
    func numbers() throws {
        let text = try #require(try Self.pages()["funnel-by-campaign"]).text
        for words in [
            "Europe/Berlin", "2026-03-01 00:00 +01:00", "as of 2026-03-01 20:17 +01:00", "1,224", "2,856",
            "of attempted", "of confirmed",
        ] { #expect(text.contains(words), "\(words)") }
    }

    @Test(
        "prints widths of any fraction in plain digits",
        arguments: [
            (0.0, "0%"), (1.0, "100%"), (0.25, "25%"), (1.0 / 3, "33.333%"), (0.00001, "0.001%"),
            (0.5005, "50.05%"), (-0.001, "-0.1%"),
        ])
    func widths(fraction: Double, expected: String) {
        #expect(percentage(fraction) == expected)
    }

    @Test(
        "has scales that end at round numbers at or above the largest value",
        arguments: [
            (1, [1]), (3, [1, 2, 3]), (10, [5, 10]), (97, [25, 50, 75, 100]),
            (1_000, [250, 500, 750, 1_000]),
        ] as [(Double, [Double])])
    func scales(largest: Double, ticks: [Double]) {
        #expect(PlotScale(largest: largest, isWhole: true).ticks == ticks)
    }

    @Test("shows an hour without pushes as a gap, and ends at the present")
    func gaps() throws {
        let text = try #require(try Self.pages()["funnel-by-hour"]).text
        #expect(text.contains("<title>2026-03-01 11:00 +01:00: attempted 0, "))
        #expect(text.contains("2026-03-01 20:00 +01:00: attempted"))
        #expect(text.contains("2026-03-01 21:00 +01:00") == false)
    }

    @Test("marks every estimated number and states the standard error")
    func estimates() throws {
        let text = try #require(try Self.pages()["reach-sketched"]).text
        #expect(
            text.contains(
                "installations, estimated from sketches (standard error 0.8\u{A0}%, included in the intervals; --exact counts)"
            ))
        #expect(text.contains("installations, exact") == false)
        for number in ["184,312", "121,877", "30,411", "94,209"] {
            let places = text.ranges(of: number).map { text[..<$0.lowerBound].hasSuffix("≈ ") }
            #expect(places.count > 1 && places.allSatisfy { $0 }, "\(number)")
        }
        let style = OutputStyle(usesUnicode: true, usesColor: false, width: 100)
        let lines = try HandMadeDay.sketchedReach().lines(style).joined(separator: "\n")
        let places = lines.ranges(of: "111,430").map { lines[..<$0.lowerBound].hasSuffix("≈ ") }
        #expect(places == [true, true])
        let exact = try #require(try Self.pages()["reach-by-campaign"]).text
        #expect(exact.contains("installations, exact") && exact.contains("≈ 1,900") == false)
    }

    @Test("has no duplicate label in a chart of latencies")
    func labels() throws {
        for name in ["latency", "latency-compared"] {
            let text = try #require(try Self.pages()[name]).text
            for picture in text.matches(of: #/<svg role="img".*?<\/svg>/#.dotMatchesNewlines()) {
                let labels = picture.0.matches(of: #/<text class="label[^>]*>([^<]*)</#).map(\.1)
                #expect(labels.count > 3 && Set(labels).count == labels.count, "\(name): \(labels)")
            }
        }
    }
}
