internal import Access
internal import Documents
internal import Instants
internal import Rendering
internal import Reports
internal import Wording

/// An app's annotations in every output format.
struct AnnotationList {
    let app: App
    let annotations: [Annotation]
    let zone: ReportTimeZone

    var document: JSONValue {
        ["app": .string(app.slug), "annotations": .array(annotations.map(json))]
    }

    private func json(_ annotation: Annotation) -> JSONValue {
        [
            "annotation_id": .integer(annotation.id),
            "at": .string(zone.rfc3339(annotation.at)),
            "until": annotation.until.map { .string(zone.rfc3339($0)) } ?? .null,
            "text": .string(annotation.text),
            "campaign": annotation.campaign.map { .string($0) } ?? .null,
            "created_by": .string(annotation.createdBy),
            "created_at": .string(zone.rfc3339(annotation.createdAt)),
        ]
    }

    var csv: CSVText {
        var text = CSVText(header: [
            "app", "annotation_id", "at", "until", "text", "campaign", "created_by", "created_at",
        ])
        for annotation in annotations {
            text.append([
                .text(app.slug), .integer(annotation.id), .text(zone.rfc3339(annotation.at)),
                .text(annotation.until.map(zone.rfc3339) ?? ""), .text(annotation.text),
                .text(annotation.campaign ?? ""), .text(annotation.createdBy),
                .text(zone.rfc3339(annotation.createdAt)),
            ])
        }
        return text
    }

    func lines(_ style: OutputStyle) -> [String] {
        var table = TextTable([
            .init("Id", group: 0), .init("At (\(zone.name))", isNumber: false, group: 0),
            .init("Until", isNumber: false, group: 1), .init("Text", isNumber: false, group: 1),
            .init("Campaign", isNumber: false, group: 1, isName: true),
            .init("By", isNumber: false, group: 1, isName: true),
        ])
        table.rows = annotations.map { annotation in
            [
                .init(String(annotation.id)), .init(local(annotation.at)),
                .init(annotation.until.map(local) ?? ""), .init(annotation.text),
                .init(annotation.campaign ?? ""), .init(annotation.createdBy),
            ]
        }
        return table.lines(style)
    }

    private func local(_ instant: Instant) -> String {
        LocalTime(instant, utcOffsetMinutes: zone.utcOffsetMinutes(at: instant)).toTheMinute
    }
}
