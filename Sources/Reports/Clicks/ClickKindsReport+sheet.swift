internal import DeliveryModel
internal import Wording

extension ClickKindsReport {
    /// `click_share` is of all clicks of the report.
    private var fields: [SheetField<ClickKinds>] {
        [
            SheetField(SheetColumn("clicked", ink: .clicked)) { .count($0.clicked) },
            SheetField(SheetColumn("opened")) { .count($0.opened) },
            SheetField(SheetColumn("background")) { .count($0.background) },
            SheetField(SheetColumn("with_text")) { .count($0.withText) },
            SheetField(SheetColumn("click_share", .rate, title: "Of all clicks")) { [totals] in
                .rate($0.share(of: totals))
            },
        ]
    }

    public var sheet: Sheet {
        var sheet = Sheet(
            "Clicks", frame, fields, rows: rows.map { ($0.key, $0.clicks) }, totals: totals,
            nothing: ClickKinds())
        sheet.isEmpty = isEmpty
        sheet.unmatched = unmatched
        sheet.completeness = completeness
        sheet.comparison = comparison
        sheet.headline = headline
        sheet.table += [
            [
                .bar(SheetBar("of highest", "clicked", .largest("clicked"), .clicked)), .column("clicked"),
                .column("click_share"),
            ], [.column("opened"), .column("background"), .column("with_text")],
        ]
        sheet.blankTotals = ["click_share"]
        sheet.pictures = [.stages(stages)]
        sheet.remarks = SheetRemark.unmatched(unmatched)
        sheet.comparedInRows = ["clicked", "opened"]
        sheet.terms = ["clicked", "opened", "background", "with_text", "unmatched"]
        return sheet
    }

    private var stages: StagePicture {
        func part(_ count: Int64) -> (Proportion, String) {
            (Proportion(count, of: totals.clicked), "clicked")
        }
        return StagePicture(
            title: "How people clicked",
            [
                .init("clicked", totals.clicked, ink: .clicked),
                .init("opened", totals.opened, ink: .clicked, share: part(totals.opened)),
                .init("background", totals.background, ink: .aside, share: part(totals.background)),
                .init("with_text", totals.withText, ink: .clicked, share: part(totals.withText)),
            ])
    }

    private var headline: String {
        guard totals.clicked > 0 else { return "Nothing was clicked in this window." }
        let opened = Headline.share(Proportion(totals.opened, of: totals.clicked))
        return "\(opened) of the \(Words.number(totals.clicked)) clicked notifications opened the app."
    }
}
