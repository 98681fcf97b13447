public import DeliveryModel

extension LatencyReport {
    private typealias Field = SheetField<Stages>

    /// In whole milliseconds, null if there are no notifications. `by_receipt` is the number with a time of
    /// receipt instead of the device's. The totals also have the counts of arrivals and clicks, some of which
    /// have no known times, and the `histogram`, whose last bucket may have no `to_ms`.
    private var fields: [Field] {
        let counts = counts
        return [Measure.arrived, .clicked].map { measure in
            Field(SheetColumn(measure.rawValue, in: .totals)) { _ in .count(counts[measure]) }
        } + LatencyStage.allCases.flatMap(Self.fields)
    }

    private static func fields(of stage: LatencyStage) -> [Field] {
        func column(_ id: String, _ kind: SheetColumn.Kind, title: String, in places: SheetColumn.Places)
            -> SheetColumn
        {
            SheetColumn(
                "\(stage.rawValue)_\(id)", kind, title: title, at: ["stages", stage.rawValue, id],
                ink: stage.ink, in: places)
        }
        let quantiles = LatencyQuantile.allCases.map { quantile in
            Field(
                column(
                    quantile.rawValue, .milliseconds, title: "\(stage.rawValue) \(quantile.title)", in: .all)
            ) { $0[stage].quantile(quantile.share).map { .milliseconds($0.milliseconds) } ?? .none }
        }
        return [
            Field(
                column("count", .number, title: stage == .arrival ? "Arrived" : "Clicked", in: .all)
            ) { .count($0[stage].count) }
        ] + quantiles + [
            Field(column("by_receipt", .number, title: "", in: [.rows, .totals])) {
                .count($0.byReceipt(stage))
            },
            Field(column("histogram", .document, title: "", in: .totals)) {
                .document(.array($0[stage].entries.map(json)))
            },
        ]
    }

    private static func json(_ entry: LatencyHistogram.Entry) -> JSONValue {
        [
            "from_ms": .integer(entry.bucket.from), "to_ms": .optional(entry.bucket.to),
            "notifications": .integer(entry.notifications),
        ]
    }

    public var sheet: Sheet {
        var sheet = Sheet("Latency", frame, fields, rows: rows.map { ($0.key, $0.stages) }, totals: totals)
        sheet.isEmpty = isEmpty
        sheet.unmatched = unmatched
        sheet.completeness = completeness
        sheet.comparison = comparison
        sheet.precedingMembers = [.init("relative_error", .number(Self.relativeError))]
        sheet.headline = headline
        sheet.ratesNote = (
            "times", "the times that half, 90 % and 99 % took at most, each accurate to 4.9 %"
        )
        let times = LatencyStage.allCases.map { stage in
            LatencyQuantile.allCases.map { "\(stage.rawValue)_\($0.rawValue)" }
        }
        sheet.table += zip(LatencyStage.allCases, times).map { stage, times in
            [.column("\(stage.rawValue)_count")] + times.map { .column($0) }
        }
        sheet.pictures = LatencyStage.allCases.flatMap { stage -> [SheetPicture] in
            [.figures(figures(of: stage)), .histogram(stage, totals[stage])]
        }
        sheet.remarks = remarks
        sheet.course = SheetCourse(series: times.flatMap(\.self), caption: nil, addsUp: false)
        sheet.comparedInRows = Set(times.flatMap(\.self))
        sheet.terms = LatencyQuantile.allCases.map(\.rawValue) + ["arrived", "clicked"]
        return sheet
    }

    private func figures(of stage: LatencyStage) -> [SheetFigure] {
        guard totals[stage].count > 0 else { return [] }
        return LatencyQuantile.allCases.map { quantile in
            SheetFigure(
                "\(stage.title), \(quantile.title)",
                totals[stage].quantile(quantile.share).map { .milliseconds($0.milliseconds) } ?? .none,
                "\(quantile.share == 0.5 ? "half" : "\(Int(quantile.share * 100)) %") of "
                    + "\(Words.number(totals[stage].count)) notifications took at most this",
                stage.ink, id: "\(stage.rawValue)_\(quantile.rawValue)")
        }
    }

    private var remarks: [SheetRemark] {
        var remarks = [
            SheetRemark(
                "arrived", .count(counts[.arrived]),
                "of which \(Words.number(totals.arrival.count)) have a known time"),
            SheetRemark(
                "clicked", .count(counts[.clicked]),
                "of which \(Words.number(totals.click.count)) reported their arrival too, with both times known"
            ),
        ]
        // Their times include the wait for a network.
        if totals.arrivalsByReceipt > 0 {
            remarks.append(
                SheetRemark(
                    "by receipt", .count(totals.arrivalsByReceipt),
                    "arrivals without occurred_at: timed by the receipt of the event"))
        }
        return remarks + SheetRemark.unmatched(unmatched)
    }

    private var headline: String {
        guard totals.arrival.count > 0 else { return "No arrival with a known time in this window." }
        func text(_ quantile: LatencyQuantile) -> String {
            totals.arrival.quantile(quantile.share)?.roundedWords ?? "–"
        }
        return "Half of the arrivals took at most \(text(.p50)), and 99 of 100 at most \(text(.p99))."
    }
}

extension LatencyStage {
    /// An arrow in it is written as `->` where there is only ASCII.
    public var title: String { self == .arrival ? "sent → arrived" : "arrived → clicked" }

    public var ink: Ink { self == .arrival ? .confirmed : .clicked }
}

extension LatencyQuantile {
    /// `p50`.
    public var title: String { String(rawValue.prefix(3)) }
}
