import Access
import Foundation
import HummingbirdTesting
import LandfallServer
import TestDatabase
import Testing

/// The server's responses keep the promises of its description, for generated requests.
@Suite(
    "The HTTP API, checked against its description", .databaseForLong, .timeLimit(.minutes(40)))
struct ContractTests {
    @Test(
        "keeps the contract for each kind of key",
        arguments: [
            (APIKey.Kind.server, ["Events", "Devices", "Feeds", "Operation"]),
            (.device, ["Events", "Devices"]),
            (.report, ["Reports"]),
        ])
    func contract(kind: APIKey.Kind, tags: [String]) async throws {
        try await TestServer.run(configure: {
            $0.limits.deviceEvents = nil
            $0.limits.installationRequests = nil
            $0.limits.failedAuthentications = nil
        }) { server async throws in
            _ = try await server.post(
                (1...20).map { number in
                    #"{"type":"response","notification_id":"\#(notificationID(number))","provider":"apns","status":200,"#
                        + #""token":"\#(tokenValue(number))","campaign":"spring"}"#
                }.joined(separator: "\n"))
            _ = try await server.put(UUID(), registration(tokenValue(1), also: #","account":"anna""#))
            let port = server.port
            let key = try #require(server.keys[kind])
            let ending = try await Schemathesis.check(port: port, key: key, tags: tags)
            #expect(ending.isFine, "\(ending.output)")
        }
    }
}
