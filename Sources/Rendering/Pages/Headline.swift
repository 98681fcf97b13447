package import DeliveryModel
internal import Reports

/// The sentences that open a page.
package enum Headline {
    /// `92.1 %`; a dash if there is no denominator.
    package static func share(_ proportion: Proportion) -> String {
        proportion.value.map { "\(percent($0)) %" } ?? OutputStyle.page.nothing
    }

    static func funnel(_ counts: MeasureCounts) -> String {
        guard counts[.attempted] > 0 else { return "Nothing was sent in this window." }
        let accepted = Rate.acceptance.proportion(in: counts)
        let confirmed = counts.share(counts[.confirmed], of: counts[.accepted])
        let clicked = Rate.clickThrough.proportion(in: counts)
        let sent = "Of \(grouped(counts[.attempted])) notifications, providers accepted \(share(accepted))"
        guard counts[.accepted] > 0 else { return sent + "." }
        let seen = "\(sent); devices confirmed \(share(confirmed)) of those"
        guard counts[.confirmed] > 0 else { return seen + "." }
        guard let caveat = Rate.clickThrough.caveat(in: counts) else {
            return "\(seen), and \(share(clicked)) of the confirmed were clicked."
        }
        return "\(seen). The click-through of \(share(clicked)) is too high: \(caveat)."
    }

    static func clicks(_ counts: MeasureCounts) -> String {
        guard counts[.confirmed] > 0 else { return "No device confirmed a notification in this window." }
        let (clicked, confirmed) = (grouped(counts[.clicked]), grouped(counts[.confirmed]))
        let rate = share(Rate.clickThrough.proportion(in: counts))
        let sentence = "\(clicked) of \(confirmed) confirmed notifications were clicked: \(rate)"
        return sentence + (Rate.clickThrough.caveat(in: counts).map { ". That is too high: \($0)." } ?? ".")
    }
}
