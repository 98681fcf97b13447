public import DeliveryModel

// The parts that several sheets share.

extension MeasureCounts {
    /// The classes with rejections, the most frequent first.
    public var rejectionsByClass: [(measure: Measure, name: String, count: Int64)] {
        RejectionClass.allCases
            .map { (measure: Measure.rejected($0), name: $0.rawValue, count: self[.rejected($0)]) }
            .filter { $0.count > 0 }
            .sorted { $0.count > $1.count }
    }
}

extension StagePicture {
    /// The rejections by class. Their sum has no bar: it would have the full length, like that of attempts.
    static func rejections(_ totals: MeasureCounts) -> StagePicture {
        let rejected = totals.rejected
        let all = Stage(
            "rejected", rejected, ink: nil,
            share: (totals.share(rejected, of: totals[.attempted]), "attempted"))
        let classes = totals.rejectionsByClass.map { item in
            var stage = Stage(
                item.measure.rawValue, name: item.name, item.count, ink: .trouble,
                share: (totals.share(item.count, of: rejected), "rejected"))
            stage.isPart = true
            return stage
        }
        return StagePicture(title: "Rejected by class", [all] + classes)
    }
}

extension StagePicture.Stage {
    /// A stage of these counts: a share of another measure by this rate, or without a rate.
    static func measure(
        _ measure: Measure, in counts: MeasureCounts, of whole: Measure? = nil, _ rate: Rate? = nil
    ) -> Self {
        var stage = Self(
            measure.rawValue, counts[measure], ink: measure.ink,
            share: whole.map { (counts.share(counts[measure], of: counts[$0]), $0.rawValue) }, rate: rate?.id)
        stage.isDoubtful = rate?.caveat(in: counts) != nil
        return stage
    }
}

extension SheetRemark {
    /// The notifications that are in no other figure. Local ones are mentioned only if there are any.
    static func unmatched(_ counts: UnmatchedCounts) -> [SheetRemark] {
        let unmatched = SheetRemark(
            "unmatched", .count(counts.unmatched), "no provider response (yet), in no other figure")
        let local = SheetRemark("local", .count(counts.local), "shown by the app itself, in no other figure")
        return counts.local > 0 ? [unmatched, local] : [unmatched]
    }

    /// The reason why the click-through of the totals, or of some rows, is marked with `!`; empty if none is.
    static func clickThrough(_ totals: MeasureCounts, rows: [CountedRow] = []) -> [SheetRemark] {
        let rate = Rate.clickThrough
        let marked = rows.filter { rate.caveat(in: $0.counts) != nil }
        let ofTotals = rate.caveat(in: totals)
        guard let caveat = ofTotals ?? marked.first.flatMap({ rate.caveat(in: $0.counts) }) else { return [] }
        let value: SheetValue =
            ofTotals == nil
            ? .words("\(Words.number(Int64(marked.count))) of \(Words.number(Int64(rows.count))) rows")
            : .rate(rate.proportion(in: totals))
        return [SheetRemark("click-through !", value, "too high: \(caveat)", form: .plain, id: rate.id)]
    }
}

/// The sentences that open a page.
public enum Headline {
    /// `92.1 %`; a dash if there is no denominator.
    public static func share(_ proportion: Proportion) -> String {
        proportion.value.map { "\(Words.percent($0)) %" } ?? "–"
    }

    public static func funnel(_ counts: MeasureCounts) -> String {
        guard counts[.attempted] > 0 else { return "Nothing was sent in this window." }
        let accepted = Rate.acceptance.proportion(in: counts)
        let confirmed = counts.share(counts[.confirmed], of: counts[.accepted])
        let clicked = Rate.clickThrough.proportion(in: counts)
        let sent =
            "Of \(Words.number(counts[.attempted])) notifications, providers accepted \(share(accepted))"
        guard counts[.accepted] > 0 else { return sent + "." }
        let seen = "\(sent); devices confirmed \(share(confirmed)) of those"
        guard counts[.confirmed] > 0 else { return seen + "." }
        guard let caveat = Rate.clickThrough.caveat(in: counts) else {
            return "\(seen), and \(share(clicked)) of the confirmed were clicked."
        }
        return "\(seen). The click-through of \(share(clicked)) is too high: \(caveat)."
    }
}
