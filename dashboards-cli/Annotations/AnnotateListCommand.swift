internal import Access
internal import ArgumentParser
internal import Instants
internal import PostgresClient
internal import Reports

/// `landfall annotate list`: prints the annotations of an app.
struct AnnotateListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the annotations of an app.",
        discussion: """
              landfall annotate list --app shop --from 30d
            """)

    @Option(
        help: ArgumentHelp(
            "Leave out what was over before: 2026-03-01 (a local date), 2026-03-01T09:30:00+01:00, 7d, 24h, today.",
            valueName: "when"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Leave out what begins then or later, in the same formats as --from.", valueName: "when"))
    var to: String?

    @OptionGroup var timeZone: TimeZoneOption

    @OptionGroup var options: AppOptions

    @OptionGroup(title: "Output")
    var output: OutputOptions

    func validate() throws {
        try asValidation { _ = try window(now: .now) }
    }

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
        let columns = Listing<Annotation>.annotations(of: app, in: zone)
        try output.write(columns, annotations, as: "annotations", of: app)
        if annotations.isEmpty {
            try options.database.noteNothing("There is no annotation of app \(app.slug)")
        }
    }
}
