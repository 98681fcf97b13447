internal import ArgumentParser
internal import Basics
internal import Foundation
internal import Presets

struct PostCommand: StoppableCommand {
    static let configuration = CommandConfiguration(
        commandName: "post", abstract: "Post the events in a log of another sender.",
        discussion: """
            Reads lines, translates them into events, and posts those in batches to a server, with a server \
            key. After every batch it keeps its position in the file, so it can be stopped at any time and run \
            again: every line is posted at least once, and what is posted again counts as a duplicate. Rotated \
            logs are read to their end first. A line that cannot be translated is reported with its number, and \
            the server keeps it in quarantine under unread_post. The command exits with 4 if another one posts \
            from the same log, and with 1 if nothing in it could be recorded.

              export LANDFALL_KEY=lf_server_…   # once: landfall key create --app shop --kind server
              landfall post /var/log/gorush/access.log --from gorush-log --follow
              zcat day.csv.gz | landfall post --from csv --server https://push.example.com
            """)

    @Argument(help: "The log. Without it, standard input is read.") var file: String?

    @Option(
        help: .value("The form of the lines: \(forms).", "form"),
        transform: { try word($0, of: "form of lines") })
    var from: LineFormat

    @Flag(help: "Wait for further lines, also after the log is rotated.") var follow = false

    @Option(
        help: .value(
            "The file that keeps the position. Default: one for each log, server and app in ~/.local/state/landfall.",
            "file"))
    var position: String?

    @OptionGroup(title: "Server") var target: PostTarget
    @OptionGroup(title: "Output") var output: OutputOptions

    private static let forms = LineFormat.allCases.map(\.rawValue).joined(separator: ", ")
    private static let pause = Duration.milliseconds(500)

    func validate() throws {
        guard file != nil || (!follow && position == nil) else {
            throw ValidationError("--follow and --position need a file: standard input ends by itself.")
        }
    }

    func work() async throws {
        let server = try target.address()
        let counts = try await IngestionClient.with(
            server: server, key: target.chosenKey, patience: target.patience(follows: follow),
            delayed: { note("The server did not accept a request, which is repeated: \($0).") }
        ) { client in
            let poster = LinePoster(from) { try await client.post($0) }
            guard let file else { return try await postInput(poster) }
            let path =
                if let position { position } else {
                    PlaceFile.standardPath(of: file, from.rawValue, to: server, app: try await client.app())
                }
            return try await post(file, keepingPlaceIn: path, poster)
        }
        try output.write(PostReport(source: file ?? "-", server: server, counts: counts, asOf: .now))
        if counts.isInvalid { throw ExitCode.failure }
    }

    // MARK: - A file

    private func post(
        _ file: String, keepingPlaceIn path: String, _ poster: LinePoster
    ) async throws -> PostedCounts {
        let places: PlaceFile
        do {
            places = try PlaceFile(path)
        } catch let taken as PlaceTaken {
            note("Nothing was done: \(taken.description).")
            throw ExitCode.someoneElseIsRunning
        }
        var posting = try LogPosting(file, places, poster)
        let progress = ProgressLine()
        defer { progress.clear() }
        do {
            repeat {
                try await posting.postLines(isStopped: { Task.isCancelled }) { Self.report(&$0, progress) }
                Self.report(&posting, progress)
                if follow { try await Task.sleep(for: Self.pause) }
            } while follow && !Task.isCancelled
            try Task.checkCancellation()
            if try await !posting.postRest() {
                note(
                    "The last line may not be whole, so the next run reads it again. If it is, add a line break, and close quotation marks."
                )
            }
            Self.report(&posting, progress)
        } catch is CancellationError {}
        return posting.poster.counts
    }

    private static func report(_ posting: inout LogPosting, _ progress: ProgressLine) {
        let news = posting.tail.takeNotes() + posting.takeNews().map(sentence)
        if !news.isEmpty { progress.clear() }
        news.forEach(note)
        progress.show("posting  \(line(posting.poster.counts)), up to line \(posting.tail.place.line)")
    }

    private static func line(_ counts: PostedCounts) -> String {
        "\(counts.accepted) accepted, \(counts.duplicates) duplicates, \(counts.rejected) rejected"
    }

    private static func sentence(_ rejection: PostedCounts.Rejection) -> String {
        "Line \(rejection.line) was rejected (\(rejection.code)) and is in quarantine: \(rejection.detail). "
            + "Further rejections for this reason are only counted."
    }

    // MARK: - Standard input

    private func postInput(_ poster: LinePoster) async throws -> PostedCounts {
        var (poster, cutter) = (poster, LineCutter())
        let progress = ProgressLine()
        defer { progress.clear() }
        let input = StandardInput()
        do {
            while let piece = try input.read() {
                try await poster.post(cutter.cut(piece[...]))
                poster.takeNews().map(Self.sentence).forEach(note)
                progress.show("posting  \(Self.line(poster.counts)), up to line \(cutter.line)")
            }
            if let rest = cutter.takeRest() { try await poster.post([rest]) }
            try await poster.finish()
            poster.takeNews().map(Self.sentence).forEach(note)
        } catch {
            // Ctrl-C is not the end of the input: its last line may not be whole.
            note("\(poster.counts.lines) lines are recorded. Post the input again: they count only once.")
            throw error
        }
        return poster.counts
    }
}

/// The server to post to, and the key.
struct PostTarget: ParsableArguments {
    static let standardServer = "http://127.0.0.1:8080"

    @Option(help: .value("The server to post to. Default: \(standardServer).", "url")) var server: String?

    @Option(help: .value("Post to the server of this profile (landfall config).", "name"))
    var profile: String?

    @Option(
        help: .value("A server key. Default: the variable LANDFALL_KEY, which other users cannot see.", "key")
    )
    var key: String?

    @Option(
        help: .value(
            "How long to repeat a request that is not accepted. Default: 60; with --follow, a day.",
            "seconds"))
    var patience: Int?

    func validate() throws {
        guard server == nil || profile == nil else {
            throw ValidationError("--server and --profile both name a server: use one of them.")
        }
        if let server { _ = try Profile.address(server) }
        if let patience { try checkRange("--patience", patience, in: 0...86_400) }
        guard chosenKey.hasPrefix("lf_server_") else {
            throw ValidationError(
                "A server key (lf_server_…) is required: set LANDFALL_KEY. landfall key create --kind server, run "
                    + "where the database is, prints one.")
        }
    }

    var chosenKey: String { key ?? ProcessInfo.processInfo.environment["LANDFALL_KEY"] ?? "" }

    /// The server's address, with no slash at its end. Of a profile, only the address is used: its own key
    /// reads reports.
    func address() throws -> String {
        if let profile { return try ProfileFile().profile(profile).server }
        return try Profile.address(server ?? Self.standardServer)
    }

    func patience(follows: Bool) -> Duration { .seconds(patience ?? (follows ? 86_400 : 60)) }
}
