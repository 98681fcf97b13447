internal import ArgumentParser
internal import Foundation
internal import Simulation

/// The server to post traffic to, and the key.
struct PostingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server to post to.", valueName: "url"))
    var server = "http://127.0.0.1:8080"

    @Option(
        help: ArgumentHelp(
            "A server key. Default: the variable LANDFALL_KEY, which other users cannot see.",
            valueName: "key"))
    var key: String?

    @Option(help: ArgumentHelp("How long to repeat a request that is not accepted.", valueName: "seconds"))
    var patience = 60

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
