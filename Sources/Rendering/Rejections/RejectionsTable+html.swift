internal import DeliveryModel
internal import Reports

extension RejectionsTable {
    /// The rejections as an HTML page. `style` must be the page's.
    var htmlPage: HTMLPage {
        guard !report.isEmpty else { return HTMLPage(nothingIn: report.frame, title: "Rejections") }
        let advice = advice.map { (name: $0.responses.joined(separator: ", "), text: $0.sentence) }
        return HTMLPage(
            page, headline: headline,
            charts: advice.isEmpty
                ? [] : [.story(PageStory(title: "What to do", ink: .trouble, notes: advice))],
            terms: RejectionClass.allCases.map { "rejected_\($0.rawValue)" } + ["attempted", "unmatched"])
    }

    private var headline: String {
        guard report.share.denominator > 0 else { return "Nothing was sent in this window." }
        let sentence =
            "\(grouped(report.rejected)) of \(grouped(report.share.denominator)) notifications were rejected: "
            + Headline.share(report.share)
        var counts: [String: Int64] = [:]
        for row in report.rows { counts[row.response.words, default: 0] += row.rejected }
        guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
            return sentence + "."
        }
        return "\(sentence). Most often: \(most.key), \(grouped(most.value))."
    }
}
