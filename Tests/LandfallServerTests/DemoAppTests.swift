import Foundation
import Logging
import TestDatabase
import Testing

@testable import LandfallServer

/// The app that a private database gets on its first start, and its printed key.
@Suite(.database) struct DemoAppTests {
    @Test("the demo key is printed when it is created; a later start says how to get another")
    func shownOnce() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-demo-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = ServerConfiguration(testing: TestDatabase.current.url)
        configuration.allowsUnsafeDatabase = true
        let backend = try await Backend.open(
            configuration, tokenKey: testTokenKey,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var texts: [String] = []
        for isNew in [true, false, false] {
            let demo = try #require(try await DemoApp.prepare(backend, dataFolder: folder))
            #expect(demo.isNew == isNew)
            let welcome = Welcome(
                host: "127.0.0.1", web: .init(), dataFolder: folder, demo: demo.app, showsKey: demo.isNew,
                consolePath: nil, environment: [:])
            texts.append(welcome.text(port: 8080))
        }
        try await backend.close()
        let key = try #require(texts[0].firstMatch(of: #/lf_server_[\w-]+/#)).0
        #expect(
            texts[0].contains("curl -sS http://127.0.0.1:8080/v1/events -H \"Authorization: Bearer \(key)\""))
        for text in texts.dropFirst() {
            #expect(!text.contains("lf_"))
            #expect(text.contains(#/KEY=\$\(\S*landfall key create --app demo --kind server\)/#))
            #expect(text.contains("-H \"Authorization: Bearer $KEY\""))
        }
        let file = folder.appendingPathComponent("demo-keys.json")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
