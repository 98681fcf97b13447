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

    @Option(
        help: ArgumentHelp(
            "A device key, for scenarios in which devices post themselves. Default: the variable LANDFALL_DEVICE_KEY.",
            valueName: "key"))
    var deviceKey: String?

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

    var chosenKey: String? { chosen(key, variable: "LANDFALL_KEY") }

    private var chosenDeviceKey: String? { chosen(deviceKey, variable: "LANDFALL_DEVICE_KEY") }

    private func chosen(_ key: String?, variable: String) -> String? {
        let key = key ?? ProcessInfo.processInfo.environment[variable] ?? ""
        return key.isEmpty ? nil : key
    }

    func validate(for scenario: TrafficScenario) throws {
        guard !postsNothing, scenario.postsFromDevices else { return }
        guard chosenDeviceKey?.hasPrefix("lf_device_") == true else {
            throw ValidationError(
                "--device-key (lf_device_…) is required, because in the scenario \(scenario.rawValue) devices post "
                    + "themselves: landfall key create --kind device creates one.")
        }
    }

    /// Posts everything and returns the server's verdicts; `nil` if nothing is to be posted.
    func post(_ traffic: SimulatedTraffic) async throws -> ReceivedCounts? {
        guard !postsNothing, let key = chosenKey else { return nil }
        return try await TrafficPoster.post(
            traffic, to: server, keys: PostingKeys(server: key, device: chosenDeviceKey ?? ""),
            patience: .seconds(patience))
    }
}

extension TrafficPoster {
    /// Posts everything with its own client and shows the progress on a terminal.
    static func post(
        _ traffic: SimulatedTraffic, to server: String, keys: PostingKeys, patience: Duration
    ) async throws -> ReceivedCounts {
        let line = ProgressLine()
        defer { line.clear() }
        return try await IngestionClient.with(server: server, keys: keys, patience: patience) { client in
            try await TrafficPoster(client: client).post(traffic) { line.show($0) }
        }
    }
}
