internal import DeliveryModel

extension ZombieReport: Sheeted {
    private typealias Field = SheetField<Build?>
    private typealias Listed = (build: Build, zombie: Zombie)

    /// Counts of installations, shares from 0 to 1; `nil` for the totals.
    private var fields: [Field] {
        [
            .words("platform", at: ["key", "platform"], in: .rows) { $0?.platform },
            .words("app_version", at: ["key", "app_version"], in: .rows) { $0?.appVersion },
            .count("judged", in: .rows) { $0?.judged }, .count("reporting", in: .rows) { $0?.reporting },
            .count("zombies", in: [.rows, .totals]) { [zombies] in $0?.zombies ?? zombies },
            .count("duplicates", in: [.rows, .totals]) { [duplicates] in $0?.duplicates ?? duplicates },
            .count("audience", in: .totals) { [audience] _ in audience },
            Field(SheetColumn("reporting_share", .rate, at: ["rates", "reporting"], in: .rows)) {
                $0.map { .rate($0.share) } ?? .none
            },
            Field(SheetColumn("inflation", .rate, in: .totals)) { [inflation] _ in .rate(inflation) },
            Field(SheetColumn("is_reporting", .document, at: ["is_reporting"], in: .rows)) {
                .document(.bool($0?.isReporting ?? false))
            },
            Field(SheetColumn("installations", .document, at: ["installations"], in: .rows)) { build in
                .document(.array(list(of: [build].compactMap(\.self)).rowDocuments))
            },
        ]
    }

    /// If too few of a build report, its extension is silent.
    private static var tableFields: [Field] {
        [
            Field(SheetColumn("build", .name, in: .nowhere)) { .words($0?.name ?? "") },
            Field(SheetColumn("share", .rate, in: .nowhere, isPlain: true)) {
                $0.map { .rate($0.share, caveat: $0.isReporting ? nil : "silent") } ?? .none
            },
            Field(SheetColumn("zombies", in: .nowhere)) {
                $0?.isReporting == true ? SheetValue($0?.zombies) : .words("silent", ink: .aside)
            },
            .count("duplicates", in: .nowhere) { $0?.isReporting == true ? $0?.duplicates : nil },
        ]
    }

    public var sheet: Sheet {
        let share = "\(Words.percent(rules.reportingShare)) %"
        let nobody = "No installation was sent \(rules.pushes) pushes in this window."
        var sheet = Sheet(
            "Zombies", of: app, asOf: asOf,
            members: [
                "report": "zombies", "app": .string(app.slug), "unit": "installations",
                "as_of": .string(asOf.rfc3339),
                "rules": [
                    "days": .integer(rules.days), "pushes": .integer(rules.pushes),
                    "spread_days": .integer(rules.spreadDays),
                    "reporting_share": .number(rules.reportingShare),
                ],
            ],
            facts: [
                ("window", "the \(rules.days) days before \(asOf.utcMinuteWithOffset)"),
                (
                    "zombie",
                    "≥ \(rules.pushes) accepted pushes over ≥ \(rules.spreadDays) days, no sign of life, while "
                        + "≥ \(share) of its build report"
                ), ("counted", "installations, exact"),
            ], fields + Self.tableFields, rows: builds, totals: nil)
        sheet.headline =
            builds.isEmpty
            ? nobody
            : "\(Words.number(zombies)) of the audience of \(Words.number(audience)) are zombies: "
                + "\(Headline.share(inflation))."
        sheet.table = [
            ["build"], ["judged", "reporting", "share"],
            [.bar(SheetBar("of largest", "zombies", .trouble, width: 16)), "zombies", "duplicates"],
        ]
        sheet.tableTitle = "All builds"
        (sheet.isTableFirst, sheet.hasTableTotals) = (true, false)
        sheet.emptyTable = nobody
        sheet.lists = [list(of: builds)]
        let left = "of these: another installation of the same account and model reports"
        sheet.pictures = [
            .figures([
                SheetFigure(
                    "zombies", .count(zombies), "\(Headline.share(inflation)) of the audience", .trouble),
                SheetFigure("duplicates", .count(duplicates), left),
                SheetFigure(
                    "audience", .count(audience),
                    "installations that could be shown a notification, zombies included", .confirmed),
            ])
        ]
        let part = inflation.value.map {
            "\(Words.percent($0)) % of the audience of \(Words.number(audience))"
        }
        sheet.remarks = [
            SheetRemark("zombies", .count(zombies), part ?? "there is no audience"),
            SheetRemark("duplicates", .count(duplicates), left),
        ]
        sheet.terms = ["audience"]
        return sheet
    }

    /// The listed installations of these builds. CSV has one line for each.
    private func list(of builds: [Build]) -> Sheet {
        let fields: [SheetField<Listed?>] = [
            .words("device_id", title: "Device") { $0?.zombie.deviceID },
            .words("platform", in: .csv) { $0?.build.platform },
            .words("app_version", in: .csv) { $0?.build.appVersion },
            SheetField(SheetColumn("build", .name, in: .nowhere)) { .words($0?.build.name ?? "") },
            SheetField(SheetColumn("model", .name, at: ["model"], in: [.rows, .csv])) {
                .words($0?.zombie.model ?? "")
            },
            .count("pushes", at: ["pushes"], in: [.rows, .csv]) { $0?.zombie.pushes },
            .words("first_push_at") { $0?.zombie.firstPushAt.rfc3339 },
            .words("last_push_at") { $0?.zombie.lastPushAt.rfc3339 },
            SheetField(
                SheetColumn("heard_at", .words, title: "Last heard", at: ["heard_at"], in: [.rows, .csv])
            ) { .words($0?.zombie.heardAt.rfc3339 ?? "", title: $0?.zombie.heardAt.utcDate) },
            .words("twin_device_id", title: "Alive as") { $0?.zombie.twinDeviceID },
            .constant("app", app.slug), .constant("as_of", asOf.rfc3339),
        ]
        let rows = builds.flatMap { build in build.listed.map { zombie -> Listed? in (build, zombie) } }
        var sheet = Sheet(
            "Those with the most pushes", of: app, asOf: asOf, members: [:], facts: [], fields, rows: rows,
            totals: nil)
        sheet.table = [["device_id"], ["build", "model", "pushes", "heard_at"], ["twin_device_id"]]
        sheet.hasTableTotals = false
        return sheet
    }
}

extension ZombieReport.Build {
    /// `ios 7.2.0`.
    fileprivate var name: String {
        let words = [platform, appVersion].filter { !$0.isEmpty }
        return words.isEmpty ? "(unknown)" : words.joined(separator: " ")
    }
}
