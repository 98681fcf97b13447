internal import ArgumentParser
internal import Basics
internal import Foundation
internal import Rendering
internal import Reports

extension ConsolePlace: ExpressibleByArgument {
    /// `funnel`, or `today` for the app's first page.
    init?(argument: String) {
        guard let place = Self.allCases.first(where: { $0.defaultValueDescription == argument }) else {
            return nil
        }
        self = place
    }

    var defaultValueDescription: String { title.lowercased() }

    static var allValueStrings: [String] { allCases.map(\.defaultValueDescription) }
}

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the console's page of a report in a browser.",
        discussion: """
            Prints the address of the page and, in a terminal, opens it. The console belongs to a server: that of \
            --server, of the profile, or the one that 'make run' starts on this machine.

              landfall open --app shop
              landfall open funnel --app shop --from 30d --by campaign
              landfall open rejections --profile production --campaign spring
            """)

    @Argument(help: "The page.") var page = ConsolePlace.today
    @Option(help: .value("The address of the console.", "url")) var server: String?

    @Option(
        help: .value("The app. Optional with a profile, whose key is of one app.", "slug"), completion: .apps)
    var app: String?

    @OptionGroup var profile: ProfileOption
    @Option(help: .when("Start of the window, as in the report's command.")) var from: String?
    @Option(help: .when("End of the window (exclusive).")) var to: String?
    @OptionGroup var timeZone: TimeZoneOption

    @Option(help: .value("Break down by one or two dimensions.", "dimension"), completion: .dimensions)
    var by: [String] = []

    @Option(help: .when("Compare with another window of equal length.")) var compare: String?
    @OptionGroup(title: "Filters") var filters: FilterOptions
    @Flag(name: .customLong("print"), help: "Only print the address.") var onlyPrints = false

    func run() async throws {
        let remote = profile.profile ?? ProfileOption.named()
        let known = try remote.map { RemoteServer(name: $0, profile: try ProfileFile().profile($0)) }
        let base = server ?? known?.profile.pages ?? "http://127.0.0.1:8080"
        var named = app
        // Any report says which app the key is of.
        if named == nil { named = try await known?.report("funnel", [("from", "1h")]).app }
        guard let slug = named else {
            guard page == .today, query.isEmpty else {
                throw ValidationError(
                    "Name the app of the page: landfall open \(page.title.lowercased()) --app SLUG.")
            }
            return try show(base + "/")
        }
        let address = base + page.path(of: slug.queryEncoded)
        try show(query.isEmpty ? address : "\(address)?\(query)")
    }

    private var query: String {
        let single = given([
            ("from", from), ("to", to), ("tz", timeZone.tz), ("compare", compare),
            ("by", by.isEmpty ? nil : by.joined(separator: ",")),
        ])
        return queryText(single + filters.parameters)
    }

    private func show(_ address: String) throws {
        try Stdout.write(address + "\n")
        guard !onlyPrints, isatty(STDOUT_FILENO) == 1 else { return }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let opener = folders.flatMap { ["\($0)/xdg-open", "\($0)/open"] }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let opener else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: opener)
        process.arguments = [address]
        try process.run()
    }
}
