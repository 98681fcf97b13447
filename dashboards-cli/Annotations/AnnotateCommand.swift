internal import ArgumentParser
internal import DeliveryModel
internal import People
internal import PostgresClient
internal import Reports

struct AnnotateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "annotate", abstract: "Note in reports what happened, such as a release.",
        subcommands: [AnnotateAddCommand.self, AnnotateListCommand.self, AnnotateRemoveCommand.self])
}

struct AnnotateAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an annotation and print its number.",
        discussion: """
              landfall annotate add "Build 212 released" --app shop --at 2026-11-20T09:00Z
              landfall annotate add "Spring sale" --at 2026-03-01 --until 2026-03-08 --campaign spring
            """)

    @Argument(help: "One line of up to 200 characters.") var text: String

    @Option(
        help: .when(
            "The time it is about, or the start of the span: 2026-11-20T09:00Z, 2026-11-20 (a local date), 24h, now. Default: now."
        ))
    var at: String?

    @Option(help: .when("The end of the span, in the same formats. Default: it is about an instant."))
    var until: String?

    @Option(
        help: .value("The campaign it is about. Default: the whole app.", "key"),
        completion: .values(of: .campaign))
    var campaign: String?

    @OptionGroup var timeZone: TimeZoneOption
    @OptionGroup var options: AppOptions

    func validate() throws { try asValidation { _ = try times(now: .now) } }

    private func times(now: Instant) throws(ReportError) -> (at: Instant, until: Instant?) {
        let zone = try timeZone.zone
        return (
            try WindowBound.instant(at.map(withSeconds), as: "at", in: zone, now: now) ?? now,
            try WindowBound.instant(until.map(withSeconds), as: "until", in: zone, now: now)
        )
    }

    /// RFC 3339 requires seconds, which no one knows of a release: `2026-11-20T09:00Z` becomes
    /// `2026-11-20T09:00:00Z`.
    private func withSeconds(_ text: String) -> String {
        guard let match = text.wholeMatch(of: /(.+[Tt ]\d\d:\d\d)([Zz]|[+-]\d\d:\d\d)/) else { return text }
        return "\(match.1):00\(match.2)"
    }

    func run() async throws {
        let now = Instant.now
        let (at, until) = try times(now: now)
        let annotation = try options.withApp { app, connection in
            try connection.transaction {
                let annotation = try Annotations.add(
                    text, of: app, at: at, until: until, campaign: campaign, by: Audit.commandLine, now: now,
                    on: connection)
                try Audit.recordCommand("annotation_added", app: app, subject: text, on: connection)
                return annotation
            }
        }
        try Stdout.write(lines: [String(annotation.id)])
    }
}

struct AnnotateRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an annotation.",
        discussion: """
              landfall annotate remove 3 --app shop
            """)

    @Argument(help: .value("The number, as in 'landfall annotate list'.", "id")) var id: Int64
    @OptionGroup var options: AppOptions

    func run() throws {
        let removed = try options.withApp { app, connection in
            try connection.transaction {
                let removed = try Annotations.remove(id, of: app, on: connection)
                try Audit.recordCommand("annotation_removed", app: app, subject: removed.text, on: connection)
                return removed
            }
        }
        note("Annotation \(id) is removed: \(removed.text)")
    }
}

struct AnnotateListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the annotations of an app.",
        discussion: """
              landfall annotate list --app shop --from 30d
            """)

    @Option(help: .when("Leave out what was over before: \(InstantForms.local).")) var from: String?

    @Option(help: .when("Leave out what begins then or later, in the same formats as --from."))
    var to: String?

    @OptionGroup var timeZone: TimeZoneOption
    @OptionGroup var options: AppOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try asValidation { _ = try window(now: .now) } }

    private func window(now: Instant) throws(ReportError) -> Range<Instant> {
        let zone = try timeZone.zone
        let from = try WindowBound.instant(from, as: "from", in: zone, now: now)
        let to = try WindowBound.instant(to, as: "to", in: zone, now: now)
        if let from, let to, from >= to { throw .emptyWindow(from: from.rfc3339, to: to.rfc3339) }
        let earliest = Instant(millisecondsSinceEpoch: .min)
        return (from ?? earliest)..<(to ?? Instant(millisecondsSinceEpoch: .max))
    }

    func run() throws {
        let window = try window(now: .now)
        let zone = try timeZone.zone
        let (app, annotations) = try options.withApp { app, connection in
            (app, try Annotations.list(of: app, in: window, on: connection))
        }
        func local(_ instant: Instant) -> String {
            LocalTime(instant, utcOffsetMinutes: zone.utcOffsetMinutes(at: instant)).toTheMinute
        }
        let columns = Listing<Annotation>(
            .constant("app", app.slug), .number("annotation_id", "Id") { $0.id },
            .text("at", "At (\(zone.name))", group: 0, shown: { row, _ in local(row.at) }) {
                zone.rfc3339($0.at)
            },
            .text("until", "Until", shown: { row, _ in row.until.map(local) ?? "" }) {
                $0.until.map(zone.rfc3339)
            },
            .text("text", "Text") { $0.text }, .text("campaign", "Campaign", isName: true) { $0.campaign },
            .text("created_by", "By", isName: true) { $0.createdBy },
            .text("created_at") { zone.rfc3339($0.createdAt) })
        try output.write(columns, annotations, as: "annotations", of: app)
        if annotations.isEmpty {
            try options.database.noteNothing("There is no annotation of app \(app.slug)")
        }
    }
}
