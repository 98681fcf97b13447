internal import DeliveryModel
internal import Reports

extension StagePicture {
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
        zip(stages, shares(style)).map { stage, share in
            let bar = stage.ink == nil ? "" : Bar.text(stage.count, of: whole, width: barWidth, style)
            let count = text(stage, style)
            let room = barWidth - displayWidth(bar) + 2 + countWidth(style) - displayWidth(count)
            let line = [
                "  ", padded(stage.terminalName, to: nameWidth), "  ", style.paint(bar, stage.ink),
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
        return "\(share.proportion.text(style)) of \(name(of: share.of))" + (stage.isDoubtful ? " !" : "")
    }

    /// The count, with a sign before an estimate.
    func text(_ stage: Stage, _ style: OutputStyle) -> String {
        (stage.isEstimate ? style.nearly : "") + grouped(stage.count)
    }

    private func countWidth(_ style: OutputStyle) -> Int {
        stages.map { displayWidth(text($0, style)) }.max() ?? 0
    }
}

extension StagePicture.Stage {
    /// Indented if it is a part of the stage above.
    var terminalName: String { (isPart ? "  " : "") + name }
}

/// The text padded with spaces at its end.
package func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}
