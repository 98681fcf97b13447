internal import DeliveryModel

/// Stages one below the other, each with a bar, so that the bars can be compared by eye.
struct StagePicture {
    struct Stage {
        let name: String
        let count: Int64
        /// `nil` for a stage without a bar.
        let ink: Ink?
        /// The stage as a share of another, and that one's name.
        var share: (proportion: Proportion, of: String)?
        /// Estimated rather than counted.
        var isEstimate = false
        /// The share is marked with !, and a remark states its caveat.
        var isDoubtful = false
        /// The id of the share in comparisons.
        var rate: String?
    }

    /// The title on an HTML page; a terminal has no room for it.
    let title: String
    /// What a page says about all stages.
    var caption = ""
    /// Whether a page shows them as one picture that narrows.
    var isFunnel = false
    let stages: [Stage]
    /// The count of a full bar.
    let whole: Int64

    /// - Parameter whole: the count of a full bar; if `nil`, that of the largest stage.
    init(title: String = "", _ stages: [Stage], whole: Int64? = nil) {
        self.title = title
        self.stages = stages
        self.whole = whole ?? stages.map(\.count).max() ?? 0
    }

    /// The columns that remain for bars: at most 44, and none if fewer than four remain.
    /// 60 columns are enough for everything else.
    ///
    /// - Parameter nameWidth: the width of the names' column, so that several pictures line up.
    func barWidth(_ style: OutputStyle, nameWidth: Int) -> Int {
        let shareWidth = shares(style).map(displayWidth).max() ?? 0
        let room = (style.width ?? 100) - nameWidth - countWidth(style) - shareWidth - 8
        return room < 4 ? 0 : min(44, room)
    }

    func lines(_ style: OutputStyle, nameWidth: Int, barWidth: Int) -> [String] {
        return zip(stages, shares(style)).map { stage, share in
            let bar = stage.ink == nil ? "" : Bar.text(stage.count, of: whole, width: barWidth, style)
            let count = text(stage, style)
            let room = barWidth - displayWidth(bar) + 2 + countWidth(style) - displayWidth(count)
            let line = [
                "  ", padded(stage.name, to: nameWidth), "  ", style.paint(bar, stage.ink),
                String(repeating: " ", count: room), count,
            ].joined()
            return share.isEmpty ? line : line + "  " + share
        }
    }

    private func shares(_ style: OutputStyle) -> [String] {
        stages.map { stage in text(ofShare: stage, style) }
    }

    /// `13.0 % (12.1–14.0) of confirmed`, marked with ! if the share has a caveat.
    func text(ofShare stage: Stage, _ style: OutputStyle) -> String {
        guard let share = stage.share else { return "" }
        return "\(share.proportion.text(style)) of \(share.of)" + (stage.isDoubtful ? " !" : "")
    }

    /// The count, with a sign before an estimate.
    func text(_ stage: Stage, _ style: OutputStyle) -> String {
        (stage.isEstimate ? style.nearly : "") + grouped(stage.count)
    }

    private func countWidth(_ style: OutputStyle) -> Int {
        stages.map { displayWidth(text($0, style)) }.max() ?? 0
    }
}

/// The text padded with spaces at its end.
package func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}
