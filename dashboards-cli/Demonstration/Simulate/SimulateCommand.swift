internal import Access
internal import ArgumentParser
internal import DeliveryModel
internal import Foundation
internal import PostgresClient
internal import Rendering
internal import Reports
internal import Simulation

struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Post simulated traffic with known numbers.",
        discussion: """
            Simulates the day of a push team: phones that register, rotate and lose tokens, campaigns, the \
            provider's responses, and device events, with all the repetitions, delays and losses of real \
            clients. Posts everything in chronological order and prints what really happened. With --check, \
            compares the reports with that, number by number, and exits with 1 if any differs; the app must \
            contain nothing but this traffic, posted once.

              export LANDFALL_KEY=$(landfall key create --app shop --kind server)
              landfall simulate --check

            The traffic ends now unless --start or --end is given, so landfall and landfall doctor show it \
            at once. To simulate days with one fault, or none, for the doctor to find:

              landfall simulate --scenario silent-extension --hours 360 --installations 300
              landfall doctor

            To generate traffic without posting it (a request may contain at most 10,000 events):

              landfall simulate --no-post --start 2026-03-01 \\
                --output day.ndjson --truth day.json
              split -l 10000 day.ndjson part.
              curl --data-binary @part.aa http://127.0.0.1:8080/v1/events \\
                -H 'Content-Type: application/x-ndjson' \\
                -H "Authorization: Bearer $LANDFALL_KEY"
            """,
        // Rare, and the list of commands is to fit on a screen.
        shouldDisplay: false)

    @OptionGroup(title: "Traffic") var simulation: SimulationOptions
    @OptionGroup(title: "Posting") var posting: PostingOptions

    @Option(
        help: .value(
            "Also write the events to this file, one JSON object per line. Registrations are not included.",
            "file"))
    var output: String?

    @Option(help: .value("Also write what really happened to this file, as JSON.", "file")) var truth: String?

    @Flag(help: "Compare the reports with what really happened; exit with 1 if a number differs.")
    var check = false

    @OptionGroup var options: AppOptions

    func run() async throws {
        let style = OutputStyle.stdout()
        let traffic = TrafficSimulation.generate(simulation.settings(now: .now))
        try writeFiles(traffic)
        let received = try await posting.post(traffic)
        var lines = traffic.truth.lines(style)
        if let received { lines += [""] + received.lines(style) + examination(of: traffic.truth, style) }
        try Stdout.write(lines: lines)
        if let received, received.rejected > 0 { throw CommandProblem.rejectedItems(received.rejections) }
        if check { try compare(traffic.truth, style) }
    }

    /// The command that examines a scenario with the doctor.
    private func examination(of truth: SimulatedTruth, _ style: OutputStyle) -> [String] {
        guard let command = simulation.doctorCommand(before: truth.windowEnd, app: options.app, now: .now)
        else { return [] }
        return ["", style.paint("What the doctor says about it", .title), "  \(command)"]
    }

    private func writeFiles(_ traffic: SimulatedTraffic) throws {
        if let output { try write(Data(EventPost.ndjson(traffic.events[...])), to: output) }
        guard let truth else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try write(encoder.encode(traffic.truth), to: truth)
    }

    private func write(_ data: Data, to path: String) throws {
        do {
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandProblem("\(path) could not be written: \(error.localizedDescription)")
        }
    }

    private func compare(_ truth: SimulatedTruth, _ style: OutputStyle) throws {
        let check = try options.database.withDatabase { front in
            let (app, connection) = try checkedApp(in: front)
            return try TruthCheck.run(
                truth, of: app, on: connection, now: .now,
                opensBreaker: simulation.scenario == .massRejection)
        }
        let heading = style.paint("Reports compared with what really happened", .title)
        try Stdout.write(lines: ["", heading] + check.lines(style))
        guard check.differenceCount == 0 else {
            throw CommandProblem("\(check.differenceCount) numbers differ from what really happened")
        }
    }

    /// The app that received the traffic: the key's, unless one is named.
    private func checkedApp(in front: ChosenDatabase) throws -> (App, PostgresConnection) {
        guard options.app == nil, let key = posting.chosenKey else {
            let (app, _, connection) = try options.database.find(options.app, in: front)
            return (app, connection)
        }
        let connection = try options.database.home(of: APIKey.cell(of: key) ?? .front, front).connect()
        guard let app = try AppDirectory(connection).app(ofKey: APIKey.digest(of: key)) else {
            throw CommandProblem(
                "the key is unknown to this database, or revoked: check that --database is the server's")
        }
        return (app, connection)
    }
}

struct PostingOptions: ParsableArguments {
    @Option(help: .value("The server to post to.", "url")) var server = "http://127.0.0.1:8080"

    @Option(
        help: .value(
            "A server key. Default: the variable LANDFALL_KEY, which other users cannot see.", "key"))
    var key: String?

    @Option(help: .value("How long to repeat a request that is not accepted.", "seconds")) var patience = 60

    @Flag(name: .customLong("no-post"), help: "Generate the traffic without posting it.")
    var postsNothing = false

    func validate() throws {
        guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw ValidationError("--server must be a URL such as http://127.0.0.1:8080.")
        }
        guard (0...86_400).contains(patience) else {
            throw ValidationError("--patience must be between 0 and 86400 seconds.")
        }
        guard postsNothing || chosenKey != nil else {
            throw ValidationError(
                "--key is required to post: landfall key create --kind server creates one. Or use --no-post.")
        }
        guard postsNothing || chosenKey?.hasPrefix("lf_server_") == true else {
            throw ValidationError(
                "--key must be a server key (lf_server_…): only server keys may post responses.")
        }
    }

    var chosenKey: String? {
        let key = key ?? ProcessInfo.processInfo.environment["LANDFALL_KEY"] ?? ""
        return key.isEmpty ? nil : key
    }

    /// Posts everything and returns the server's verdicts; `nil` if nothing is to be posted.
    func post(_ traffic: SimulatedTraffic) async throws -> ReceivedCounts? {
        guard !postsNothing, let key = chosenKey else { return nil }
        return try await TrafficPoster.post(traffic, to: server, key: key, patience: .seconds(patience))
    }
}
