internal import DeliveryModel

extension LossCounts: Counted {}

extension LossReport {
    /// Losses that never occurred have no column in the table; `superseded` is null if it was not counted.
    private static var fields: [SheetField<LossCounts>] {
        let measures = ([.attempted] + RejectionClass.allCases.map(Measure.rejected) + [.accepted]).map {
            SheetField<LossCounts>.measure($0)
        }
        let losses = Loss.allCases.map { loss in
            SheetField<LossCounts>(
                SheetColumn(loss.rawValue, ink: loss == .unexplained ? .trouble : .aside)
            ) { SheetValue($0[loss]) }
        }
        var share = SheetColumn("confirmed_share", .rate, title: "Share", in: .nowhere)
        share.isPlain = true
        return measures + losses + [.measure(.confirmed), .measure(.clicked)] + rates.map { .rate($0) } + [
            .rejected,
            SheetField(share) { .rate(Proportion($0.counts[.confirmed], of: $0.counts[.accepted])) },
        ]
    }

    public var sheet: Sheet {
        var sheet = Sheet("Loss", frame, Self.fields, rows: rows.map { ($0.key, $0.counts) }, totals: totals)
        sheet.isEmpty = isEmpty
        sheet.unmatched = unmatched
        sheet.completeness = completeness
        sheet.comparison = comparison
        if let supersededReason {
            sheet.followingMembers = [.init("superseded_reason", .string(supersededReason))]
        }
        sheet.headline = headline
        sheet.table += [
            ["attempted", "rejected", "accepted"],
            Loss.allCases.filter { totals[$0] ?? 0 > 0 }.map { .column($0.rawValue) },
            [
                .bar(SheetBar("of accepted", "confirmed", .confirmed, scale: .column("accepted"))),
                "confirmed",
                "confirmed_share", "clicked",
            ],
        ]
        sheet.pictures = [.waterfall(waterfall)]
        sheet.remarks = remarks
        sheet.remarkWidth = 14
        sheet.comparedInRows = [
            "attempted", "accepted", "not_capable", "permission_off", "unexplained", "confirmed", "clicked",
        ]
        sheet.terms =
            ["attempted", "accepted", "confirmed", "clicked", "unmatched"] + Loss.allCases.map(\.rawValue)
        return sheet
    }

    private var waterfall: WaterfallPicture {
        let counts = totals.counts
        func level(_ measure: Measure, of whole: Measure?) -> WaterfallPicture.Step {
            .init(
                level: measure.rawValue, counts[measure], measure.ink,
                share: whole.flatMap { Proportion(counts[measure], of: counts[$0]).value })
        }
        var rest = counts[.attempted]
        func loss(_ id: String, _ name: String, _ count: Int64, of whole: Measure, _ ink: Ink)
            -> WaterfallPicture.Step
        {
            defer { rest -= count }
            return .init(
                id, name: name, -count, from: rest, ink, share: Proportion(count, of: counts[whole]).value)
        }
        var steps = [level(.attempted, of: nil)]
        for item in counts.rejectionsByClass {
            steps.append(loss(item.measure.rawValue, item.name, item.count, of: .attempted, .trouble))
        }
        steps.append(level(.accepted, of: .attempted))
        rest = counts[.accepted]
        for reason in Loss.allCases {
            guard let lost = totals[reason], lost > 0 else { continue }
            var step = loss(
                reason.rawValue, reason.title, lost, of: .accepted,
                reason == .unexplained ? .trouble : .aside)
            step.meaning = reason.meaning
            steps.append(step)
        }
        var picture = WaterfallPicture(
            steps + [level(.confirmed, of: .accepted), level(.clicked, of: .confirmed)])
        picture.note = "Shares are of the level above: of attempted, of accepted, and clicked of confirmed."
        return picture
    }

    private var remarks: [SheetRemark] {
        let losses = Loss.allCases.compactMap { loss -> SheetRemark? in
            guard let count = totals[loss] else {
                return supersededReason.map { SheetRemark(loss.title, .none, $0, id: loss.rawValue) }
            }
            // A page has the meaning in its picture.
            return count > 0
                ? SheetRemark(loss.title, .count(count), loss.meaning, id: loss.rawValue, isOnPage: false)
                : nil
        }
        return losses + SheetRemark.clickThrough(totals.counts) + SheetRemark.unmatched(unmatched)
    }

    /// The number of notifications lost, and the largest loss.
    private var headline: String {
        let counts = totals.counts
        guard counts[.attempted] > 0 else { return "Nothing was sent in this window." }
        let lost = Proportion(counts[.attempted] - counts[.confirmed], of: counts[.attempted])
        let sentence =
            "No device confirmed \(Words.number(lost.numerator)) of \(Words.number(lost.denominator)) notifications "
            + "(\(Headline.share(lost)))"
        let losses =
            counts.rejectionsByClass.map { ("rejected as \($0.name)", $0.count) }
            + Loss.allCases.map { ($0.title, totals[$0] ?? 0) }
        guard let largest = losses.max(by: { $0.1 < $1.1 }), largest.1 > 0 else { return sentence + "." }
        return "\(sentence). The largest loss: \(largest.0), \(Words.number(largest.1))."
    }
}

extension Loss {
    /// `not reportable`, as shown to users.
    var title: String { rawValue.replacing("_", with: " ") }

    var meaning: String {
        switch self {
        case .recalled: "withdrawn by the sender before a device confirmed it"
        case .notReportable:
            "background pushes, or no mutable-content: no extension could report them"
        case .notCapable: "sent to versions of the app that do not report arrivals"
        case .permissionOff: "alerts were not allowed (denied, or never asked for)"
        case .superseded: "a later push with the same collapse id went to the same target"
        case .pending: "younger than 24 h: their arrival may still be reported"
        case .unexplained: "phone off, app deleted, event lost: unknown"
        }
    }
}
