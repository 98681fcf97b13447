import DeliveryModel
import Testing

@testable import Reports

@Suite("Documents of rejections and latencies")
struct FactDocumentTests {
    private let frame = """
        "app":"shop","from":"2026-03-01T00:00:00+01:00","to":"2026-03-02T00:00:00+01:00",\
        "time_zone":"Europe/Berlin","cohort":"sent_at","unit":"notifications","as_of":"2026-03-01T13:00:00.250+01:00",
        """

    private let teapot = RejectedResponse(
        provider: "apns", status: 418, reason: nil, rejectionClass: .unknown, retry: nil, tokenVerdict: nil)

    private func rejections(_ rejected: Int64) throws -> RejectionsReport {
        let key = RowKey([.init(.campaign, nil)])
        return try RejectionsReport(
            frame: sampleFrame("rejections", by: [.campaign]),
            counted: [(key: key, response: teapot, rejected: rejected)],
            attempts: [key: .init(attempted: 4, rejected: 1)],
            totals: counts([([.attempted, .accepted], 3), ([.attempted, .rejected(.unknown)], 1)]),
            unmatched: 7)
    }

    @Test("for rejections have key, response, share and advice in each row")
    func rejectionsDocument() throws {
        let share = """
            "rates":{"share":\(Proportion(1, of: 4).json.lineText)}
            """
        let expected = """
            {"report":"rejections",\(frame)"rows":[{"key":{"campaign":null},"counts":{"rejected":1},\
            "answer":{"provider":"apns","status":418,"reason":null,"class":"unknown"},\(share),\
            "advice":{"retryable":"no","token_verdict":"keep","text":"Look up the response in the provider's \
            documentation: Landfall does not know it; sending the same push again will not help."}}],\
            "totals":{"counts":{"attempted":4,"rejected":1},\(share)},"unmatched":7,"local":0}
            """
        #expect(try rejections(1).document.lineText == expected)
    }

    @Test("for rejections are rejected if the responses do not add up to the funnel's rejections")
    func contradiction() {
        #expect(
            throws: ReportError.doesNotAddUp(
                report: "rejections", place: "campaign (none)", rule: "rejected = Σ responses", left: 1,
                right: 2)
        ) { try rejections(2) }
    }

    @Test("for latencies have whole milliseconds by stage, and a histogram of all")
    func latencyDocument() throws {
        let stages = LatencyReport.Stages(
            arrival: LatencyHistogram([.init(LatencyBucket(number: 9, from: 100, to: 111), 2)]),
            arrivalsByReceipt: 1)
        let row = #""arrival":{"count":2,"p50_ms":105,"p90_ms":105,"p99_ms":105,"by_receipt":1"#
        let none = #""click":{"count":0,"p50_ms":null,"p90_ms":null,"p99_ms":null,"by_receipt":0"#
        let report = try LatencyReport(
            frame: sampleFrame("latency", by: [.day]),
            rows: [.init(key: RowKey([.init(.day, "2026-03-01")]), stages: stages)], totals: stages,
            counts: counts([([.attempted, .accepted, .arrived], 3)]), unmatched: 0)
        let expected = """
            {"report":"latency",\(frame)"relative_error":0.049,\
            "rows":[{"key":{"day":"2026-03-01"},"stages":{\(row)},\(none)}}}],\
            "totals":{"counts":{"arrived":3,"clicked":0},"stages":{\(row),"histogram":[{"from_ms":100,"to_ms":111,\
            "notifications":2}]},\(none),"histogram":[]}}},"unmatched":0,"local":0}
            """
        #expect(report.document.lineText == expected)
    }

    @Test("for latencies are rejected if rows and totals differ in a bucket")
    func differentRows() throws {
        func stages(_ from: Int64) -> LatencyReport.Stages {
            LatencyReport.Stages(
                arrival: LatencyHistogram([
                    .init(LatencyBucket(number: Int16(from), from: from, to: from + 1), 2)
                ]))
        }
        #expect(throws: ReportError.self) {
            try LatencyReport(
                frame: sampleFrame("latency", by: [.day]),
                rows: [.init(key: RowKey([.init(.day, "2026-03-01")]), stages: stages(5))], totals: stages(6),
                counts: counts([([.attempted, .accepted, .arrived], 3)]), unmatched: 0)
        }
    }

    @Test("have a sentence for every class, verdict and kind of retry")
    func advice() {
        var sentences: Set<String> = []
        for rejection in RejectionClass.allCases {
            for retry in [RejectedResponse.Retry.no, .afterDelay, .afterFix, .newConnection] {
                for verdict in [TokenVerdict.keep, .suspect, .invalidate, .invalidateIfNotReregistered] {
                    let response = RejectedResponse(
                        provider: "apns", status: 400, reason: nil, rejectionClass: rejection, retry: retry,
                        tokenVerdict: verdict)
                    #expect(response.advice.first?.isUppercase == true && response.advice.hasSuffix("."))
                    #expect(!response.advice.dropLast().contains("."))
                    sentences.insert(response.advice)
                }
            }
        }
        #expect(sentences.count == 4 * (RejectionClass.allCases.count + 2 * 3))
    }
}
