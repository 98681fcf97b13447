import DeliveryModel
import Testing

@testable import Rendering
@testable import Reports

@Suite("Rejections and latencies on a terminal")
struct FactTableTests {
    private static let buckets: [LatencyBucket] = {
        var froms: [Int64] = [0, 1]
        while froms[froms.count - 1] < Span.days(31).milliseconds {
            froms.append(froms[froms.count - 1] * 11 / 10 + 1)
        }
        return froms.indices.map { position in
            LatencyBucket(
                number: Int16(position), from: froms[position],
                to: position + 1 < froms.count ? froms[position + 1] : nil)
        }
    }()

    private func frame(_ report: String, by dimensions: [Dimension]) throws -> ReportFrame {
        let from = Instant(millisecondsSinceEpoch: 1_772_319_600_000)
        let query = try ReportQuery(
            app: App(appID: 1, slug: "shop"), window: ReportWindow(from: from, to: from + .days(1)),
            timeZone: ReportTimeZone("Europe/Berlin"))
        return ReportFrame(
            report: report, query: query.cut(by: dimensions), unit: .notifications, asOf: from + .hours(12))
    }

    private func rejections() throws -> RejectionsReport {
        let builds = [("7.0.0", "production"), ("7.1.0", "production"), ("7.1.0", "sandbox")]
        let responses = [
            RejectedResponse(
                provider: "apns", status: 410, reason: "Unregistered", rejectionClass: .tokenDead, retry: .no,
                tokenVerdict: .invalidateIfNotReregistered),
            RejectedResponse(
                provider: "apns", status: 403, reason: "BadCertificateEnvironment",
                rejectionClass: .wrongEnvironment, retry: .afterFix, tokenVerdict: .keep),
            RejectedResponse(
                provider: "apns", status: 0, reason: nil, rejectionClass: .unknown, retry: .afterDelay,
                tokenVerdict: .keep),
        ]
        var totals = MeasureCounts()
        var attempts: [RowKey: RejectionsReport.Attempts] = [:]
        let counted = builds.enumerated().map { position, build in
            let response = responses[position]
            let count = Int64(1_200 / (position * 4 + 1))
            let key = RowKey([
                .init(.topic, "com.example.shop"), .init(.environment, build.1), .init(.appVersion, build.0),
            ])
            attempts[key] = .init(attempted: 5_000, rejected: count)
            totals.add(count, in: [.attempted, .rejected(response.rejectionClass)])
            totals.add(5_000 - count, in: [.attempted, .accepted])
            return (key: key, response: response, rejected: count)
        }
        return try RejectionsReport(
            frame: frame("rejections", by: RejectionsReport.standardBreakdown), counted: counted,
            attempts: attempts, totals: totals, unmatched: 7)
    }

    /// Arrivals within seconds, with a tail of hours; clicks within minutes.
    private func latency(by dimensions: [Dimension]) throws -> LatencyReport {
        func histogram(_ range: ClosedRange<Int>, _ tail: Int, most: Int) -> LatencyHistogram {
            let middle = (range.lowerBound + range.upperBound) / 2
            return LatencyHistogram(
                range.map { .init(Self.buckets[$0], Int64(most / (abs($0 - middle) + 1))) }
                    + [.init(Self.buckets[tail], 1)])
        }
        let stages = LatencyReport.Stages(
            arrival: histogram(60...99, 150, most: 900), click: histogram(90...130, 160, most: 400))
        var counts = MeasureCounts()
        counts.add(stages.arrival.count + 1_000, in: [.attempted, .accepted, .arrived, .clicked])
        let key = RowKey(dimensions.map { .init($0, $0 == .day ? "2026-03-01" : "spring") })
        return try LatencyReport(
            frame: frame("latency", by: dimensions),
            rows: dimensions.isEmpty ? [] : [.init(key: key, stages: stages)], totals: stages, counts: counts,
            unmatched: 7)
    }

    private func style(_ width: Int?) -> OutputStyle {
        OutputStyle(usesUnicode: true, usesColor: false, width: width)
    }

    @Test("fit the terminal", arguments: [60, 80, 100, 120, 200])
    func fits(width: Int) throws {
        var lines = try rejections().lines(style(width))
        for dimensions in [[], [.day], [.day, .campaign]] as [[Dimension]] {
            lines += try latency(by: dimensions).lines(style(width))
        }
        for line in lines { #expect(displayWidth(line) <= width, "\(line)") }
    }

    @Test("are plain ASCII on request")
    func ascii() throws {
        let style = OutputStyle(usesUnicode: false, usesColor: false)
        let lines = try rejections().lines(style) + latency(by: [.day]).lines(style)
        #expect(lines.joined().utf8.allSatisfy { $0 < 128 })
    }

    @Test("rejections say what to do about each response, and state once what all rows have in common")
    func advice() throws {
        let lines = try rejections().lines(style(120))
        #expect(lines.contains { $0.contains("topic") && $0.contains("com.example.shop  in all rows") })
        #expect(lines.count { $0.contains("com.example.shop") } == 1)
        let start = try #require(lines.firstIndex(of: "What to do"))
        let sections = lines[start...].filter { $0.hasPrefix("  apns") }
        #expect(
            sections == [
                "  apns 410 Unregistered", "  apns 403 BadCertificateEnvironment", "  apns no response",
            ])
    }

    @Test("a histogram has at most 20 lines from short to long, and every notification is in one of them")
    func histogram() throws {
        let report = try latency(by: [])
        for stage in LatencyStage.allCases {
            let lines = HistogramPicture(report.totals[stage]).lines
            #expect(lines.count > 10 && lines.count <= 20)
            #expect(lines.reduce(0) { $0 + $1.notifications } == report.totals[stage].count)
            for (line, next) in zip(lines, lines.dropFirst()) { #expect(line.to == next.from) }
        }
        #expect(HistogramPicture(LatencyHistogram()).lines.isEmpty)
        #expect(HistogramPicture(LatencyHistogram([.init(Self.buckets[0], 3)])).lines.count == 1)
    }

    @Test(
        "durations are printed as precisely as they are known",
        arguments: [
            (Int64(445), "445 ms"), (2_140, "2.1 s"), (36_400, "36 s"), (250_300, "4 min 10 s"),
            (2_078_000, "35 min"), (3_599_999, "1 h"), (11_520_000, "3 h 12 min"), (43_200_000, "12 h"),
            (190_800_000, "2 days 5 h"), (864_000_000, "10 days"), (0, "0 ms"),
        ])
    func rounded(milliseconds: Int64, words: String) {
        #expect(Span(milliseconds: milliseconds).roundedWords == words)
    }

    @Test("latencies are printed with everyday units")
    func words() throws {
        let lines = try latency(by: []).lines(style(100))
        let arrival = try #require(lines.first { $0.contains("sent → arrived") })
        #expect(arrival.contains("p50 ") && arrival.contains(" s"))
        #expect(lines.contains { $0.contains("accurate to 4.9 %") })
    }

    @Test("have one line per row in CSV, with as many fields as names")
    func csv() throws {
        for text in [
            try rejections().csv.text, try latency(by: [.day]).csv.text,
            try latency(by: []).csv.text,
        ] {
            let lines = text.split(separator: "\r\n")
            #expect(lines.count > 1)
            let fields = lines.map { line in
                // Advice contains commas, within quotes.
                line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
                    .count { $0 == "," }
            }
            #expect(Set(fields).count == 1)
        }
        let header = try latency(by: []).csv.text.prefix { $0 != "\r\n" }
        #expect(header.hasPrefix("arrival_count,arrival_p50_ms,arrival_p90_ms,arrival_p99_ms,click_count,"))
    }
}
