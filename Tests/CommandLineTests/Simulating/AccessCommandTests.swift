import ArgumentParser
import Basics
import Foundation
import Simulation
import Testing

@testable import Dashboards

@Suite("Access and demo commands")
struct AccessCommandTests {
    @Test(
        "are subcommands of landfall",
        arguments: [
            ["app", "create", "shop"], ["app", "list", "--json"],
            ["key", "create", "--app", "shop", "--kind", "device"], ["key", "create", "--kind", "server"],
            ["key", "list", "--csv"], ["key", "revoke", "3", "--app", "shop"],
            ["demo", "--installations", "50", "--seed", "9", "--keep"], ["simulate", "--no-post", "--check"],
        ])
    func parsed(arguments: [String]) throws {
        _ = try Landfall.parseAsRoot(arguments)
    }

    @Test(
        "reject wrong arguments",
        arguments: [
            ["app", "create"], ["key", "create", "--app", "shop"], ["key", "create", "--kind", "master"],
            ["key", "revoke", "lf_server_x"], ["demo", "--installations", "0"],
        ])
    func rejected(arguments: [String]) {
        #expect(throws: (any Error).self) { try Landfall.parseAsRoot(arguments) }
    }
}
