internal import Access
internal import ArgumentParser
internal import Instants
internal import People
internal import PostgresClient
internal import Reports

/// `landfall annotate …`: manages notes about a time, such as a release.
struct AnnotateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "annotate",
        abstract: "Note in reports what happened, such as a release.",
        subcommands: [
            AnnotateAddCommand.self, AnnotateListCommand.self, AnnotateRemoveCommand.self,
        ])
}

/// `landfall annotate add`: prints the number of the new annotation.
struct AnnotateAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an annotation and print its number.",
        discussion: """
              landfall annotate add "Build 212 released" --app shop --at 2026-11-20T09:00Z
              landfall annotate add "Spring sale" --at 2026-03-01 --until 2026-03-08 --campaign spring
            """)

    @Argument(help: "One line of up to 200 characters.")
    var text: String

    @Option(
        help: ArgumentHelp(
            "The time it is about, or the start of the span: 2026-11-20T09:00Z, 2026-11-20 (a local date), 24h, now. Default: now.",
            valueName: "when"))
    var at: String?

    @Option(
        help: ArgumentHelp(
            "The end of the span, in the same formats. Default: it is about an instant.", valueName: "when"))
    var until: String?

    @Option(
        help: ArgumentHelp("The campaign it is about. Default: the whole app.", valueName: "key"),
        completion: .values(of: .campaign))
    var campaign: String?

    @OptionGroup var timeZone: TimeZoneOption

    @OptionGroup var options: AppOptions

    func validate() throws {
        try asValidation { _ = try times(now: .now) }
    }

    private func times(now: Instant) throws(ReportError) -> (at: Instant, until: Instant?) {
        let zone = try timeZone.zone
        return (
            try WindowBound.instant(at.map(withSeconds), as: "at", in: zone, now: now) ?? now,
            try WindowBound.instant(until.map(withSeconds), as: "until", in: zone, now: now)
        )
    }

    /// RFC 3339 requires seconds, which no one knows of a release: `2026-11-20T09:00Z` becomes `2026-11-20T09:00:00Z`.
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

/// `landfall annotate remove`: removes an annotation.
struct AnnotateRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an annotation.",
        discussion: """
              landfall annotate remove 3 --app shop
            """)

    @Argument(help: ArgumentHelp("The number, as in 'landfall annotate list'.", valueName: "id"))
    var id: Int64

    @OptionGroup var options: AppOptions

    func run() throws {
        let removed = try options.withApp { app, connection in
            try connection.transaction {
                let removed = try Annotations.remove(id, of: app, on: connection)
                try Audit.recordCommand(
                    "annotation_removed", app: app, subject: removed.text, on: connection)
                return removed
            }
        }
        note("Annotation \(id) is removed: \(removed.text)")
    }
}
