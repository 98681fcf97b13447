internal import DeliveryModel

extension PermissionsReport {
    private static var fields: [SheetField<Counts>] {
        Number.allCases.map { number in
            SheetField<Counts>.count(
                number.rawValue, title: number == .unknown ? "Unknown" : nil, ink: number.ink
            ) { $0[number] }
        } + [
            .count("alerts_off") { $0.alertsOff },
            SheetField(SheetColumn("opt_in", .rate, title: "Opt-in", ink: .confirmed)) { .rate($0.optIn) },
        ]
    }

    public var sheet: Sheet {
        var sheet = Sheet(
            "Permissions", frame, Self.fields, rows: rows.map { ($0.key, $0.counts) }, totals: totals,
            nothing: Counts())
        sheet.comparison = comparison
        sheet.headline = headline
        sheet.table += [
            [.bar(SheetBar("of answers", "opt_in", .confirmed, scale: .one)), "opt_in"],
            ([.installations] + shown).map { SheetTableColumn.column($0.rawValue) },
            ["asked", "turned_off", "turned_on", "alerts_off"],
        ]
        // The sum of the days is not how things were at the end of the last one.
        if frame.query.by.contains(where: \.isPeriod) {
            sheet.blankTotals = ["alerts_off", "opt_in"]
            sheet.blankTotals.formUnion(Number.allCases.filter { !$0.isChange }.map(\.rawValue))
        }
        sheet.pictures = [.stages(stages)]
        sheet.remarks = remarks
        sheet.trends = ["granted", "turned_off"]
        sheet.course = SheetCourse(
            series: ["installations", "granted"], rate: "opt_in", title: "By {period}",
            caption: "Installations at the end of each {period}.", addsUp: true)
        sheet.comparedInRows = ["granted", "turned_off"]
        sheet.terms = Metric.permissions.map(\.id)
        return sheet
    }

    /// The permissions that any installation has; granted and denied always.
    private var shown: [Number] {
        Number.states.filter { state in
            state == .granted || state == .denied || totals[state] > 0
                || rows.contains { $0.counts[state] > 0 }
        }
    }

    private var stages: StagePicture {
        let all = totals[.installations]
        return StagePicture(
            title: "Installations by permission",
            [.init("installations", all, ink: .attempted)]
                + shown.map { state in
                    StagePicture.Stage(
                        state.rawValue, name: state == .unknown ? "unknown" : nil, totals[state],
                        ink: state.ink, share: (Proportion(totals[state], of: all), "installations"))
                })
    }

    private var remarks: [SheetRemark] {
        [
            SheetRemark("opt-in", .rate(totals.optIn), "granted, provisional and ephemeral, of all answers"),
            SheetRemark("asked", .count(totals[.asked]), "answered for the first time"),
            SheetRemark("turned off", .count(totals[.turnedOff]), "allowed notifications, then denied them"),
            SheetRemark("turned on", .count(totals[.turnedOn]), "denied notifications, then allowed them"),
            SheetRemark(
                "alerts off", SheetValue(totals.alertsOff),
                totals.alertsOff == nil
                    ? "of the past, it is not known who turned alerts off in the settings"
                    : "allow notifications, but turned alerts off in the settings"),
        ]
    }

    private var headline: String {
        guard totals[.installations] > 0 else { return "No installation is known at the end of this window." }
        guard totals.optIn.denominator > 0 else {
            return "None of the \(Words.number(totals[.installations])) installations has answered yet."
        }
        return
            "\(Headline.share(totals.optIn)) of the \(Words.number(totals.optIn.denominator)) installations that "
            + "answered allow notifications; \(Words.number(totals[.turnedOff])) turned them off in this window."
    }
}
