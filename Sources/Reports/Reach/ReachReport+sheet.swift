internal import DeliveryModel

extension ReachReport {
    /// The audience belongs to the app and not to a row: there it is null in the document, and CSV has it
    /// only in a line of totals.
    private var fields: [SheetField<(counts: Counts, isWhole: Bool)>] {
        let places: SheetColumn.Places = frame.query.by.isEmpty ? [.csv] : []
        let isEstimate = standardError != nil
        func distinct(_ id: String, _ ink: Ink, _ count: KeyPath<Counts, Int64>)
            -> SheetField<(counts: Counts, isWhole: Bool)>
        {
            SheetField(SheetColumn(id, ink: ink)) {
                isEstimate ? .estimate($0.counts[keyPath: count]) : .count($0.counts[keyPath: count])
            }
        }
        let (audience, audienceReached, audienceReach) = (audience, audienceReached, audienceReach)
        return [
            SheetField(SheetColumn("audience", in: [.rows, .totals])) {
                $0.isWhole ? .count(audience) : .none
            },
            distinct("targeted", .attempted, \.targeted), distinct("reached", .confirmed, \.reached),
            distinct("engaged", .clicked, \.engaged),
            SheetField(SheetColumn("reach", .rate, ink: .confirmed)) { .rate($0.counts.reach) },
            SheetField(SheetColumn("audience", in: places)) { $0.isWhole ? .count(audience) : .none },
            SheetField(SheetColumn("audience_reached", in: places)) {
                $0.isWhole ? SheetValue(audienceReached) : .none
            },
            SheetField(SheetColumn("audience_reach", .rate, in: places.union([.rows, .totals]))) {
                $0.isWhole ? audienceReach.map { .rate($0) } ?? .none : .none
            },
        ]
    }

    public var sheet: Sheet {
        var sheet = Sheet(
            "Reach", frame, fields, rows: rows.map { ($0.key, (counts: $0.counts, isWhole: false)) },
            totals: (counts: totals, isWhole: true))
        sheet.isEmpty = isEmpty
        sheet.unmatched = unmatched
        sheet.completeness = completeness
        sheet.comparison = comparison
        sheet.precedingMembers =
            [.init("exact", .bool(standardError == nil))]
            + (standardError.map { [.init("standard_error", .number($0))] } ?? [])
            + [.init("audience_as_of", .string(frame.query.timeZone.rfc3339(audienceAsOf)))]
        sheet.followingMembers = [.init("without_target", .integer(totals.withoutTarget))]
        sheet.headline = headline
        if let standardError {
            sheet.precision =
                "estimated from sketches (standard error \(Words.percent(standardError)) %, included in the intervals; "
                + "--exact counts)"
        }
        sheet.table += [
            [
                .bar(
                    SheetBar(
                        "of largest", "reached", .confirmed, scale: .largest("targeted"), total: "distinct")),
                "targeted", "reached", "reach", "engaged",
            ]
        ]
        sheet.pictures = [.stages(stages)]
        sheet.remarks = remarks
        sheet.trends = ["targeted", "reached"]
        sheet.course = SheetCourse(
            series: ["targeted", "reached", "engaged"],
            caption: "Distinct installations of each {period}. Their sum is not a reach.", addsUp: false)
        sheet.comparedInRows = ["targeted", "reached", "engaged"]
        sheet.terms = ["audience", "targeted", "reached", "engaged", "reach", "audience_reach"]
        return sheet
    }

    private var stages: StagePicture {
        func stage(
            _ id: String, _ count: Int64, _ ink: Ink, share: (Proportion, String)? = nil, rate: String? = nil
        ) -> StagePicture.Stage {
            var stage = StagePicture.Stage(id, count, ink: ink, share: share, rate: rate)
            stage.isEstimate = standardError != nil
            return stage
        }
        var picture = StagePicture(
            title: "Installations",
            [
                .init("audience", audience, ink: .aside),
                stage("targeted", totals.targeted, .attempted),
                stage(
                    "reached", totals.reached, .confirmed, share: (totals.reach, "targeted"), rate: "reach"),
                stage(
                    "engaged", totals.engaged, .clicked, share: (totals.engagement, "reached"),
                    rate: "engagement"),
            ], isFunnel: true)
        picture.caption =
            "Distinct installations. The audience is everyone who could be shown a notification."
        return picture
    }

    private var remarks: [SheetRemark] {
        [
            SheetRemark(
                "audience reach", audienceReach.map { .rate($0) } ?? .none, audienceMeaning),
            SheetRemark(
                "without target", .count(totals.withoutTarget),
                "notifications with neither token nor installation; not counted"),
        ] + SheetRemark.unmatched(unmatched)
    }

    private var audienceMeaning: String {
        let time =
            audienceAsOf == frame.asOf
            ? "as it is now" : "as it was at \(frame.query.timeZone.toTheMinute(audienceAsOf))"
        let audience = "the audience of \(Words.number(audience)), \(time)"
        guard let reached = audienceReached else {
            return "sketches cannot tell who was reached of \(audience); --exact counts"
        }
        let left = totals.reached - reached
        return "\(Words.number(reached)) reached of \(audience)"
            + (left > 0 ? "; \(Words.number(left)) reached are not in it" : "")
    }

    private var headline: String {
        guard totals.targeted > 0 else { return "No installation was sent a notification in this window." }
        func text(_ count: Int64) -> String { (standardError == nil ? "" : "≈ ") + Words.number(count) }
        return
            "\(text(totals.reached)) of \(text(totals.targeted)) targeted installations were reached "
            + "(\(Headline.share(totals.reach))), and \(text(totals.engaged)) of them clicked."
    }
}
