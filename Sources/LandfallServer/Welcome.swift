internal import Access
internal import DeliveryModel
internal import Foundation
internal import Ingestion
internal import PostgresClient
internal import Vault

/// The text shown when the server is up: where it listens, a command to post and one to see the result.
struct Welcome {
    let host: String
    let web: ServerConfiguration.WebSettings
    /// `nil` if the server uses a database of the operator's own.
    let dataFolder: URL?
    let demo: DemoApp?
    /// Shown only if the demo app was just created and a person is reading: logs keep what is printed.
    let showsKey: Bool
    /// The path of a link that opens the console once, signed in; `nil` if no person is reading.
    let consolePath: String?
    let environment: [String: String]

    private static func address(_ host: String, _ port: Int) -> String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    func text(port: Int) -> String {
        let address = Self.address(host, port)
        var lines = ["Landfall listens on \(address)"]
        if let dataFolder { lines.append("Database: private PostgreSQL in \(dataFolder.path)") }
        if let consolePath {
            lines += [
                "", "Open the console, signed in (works once, within an hour):", "",
                "  \(web.port.map { Self.address(web.host, $0) } ?? address)\(consolePath)",
            ]
        }
        lines +=
            demo.map { trying($0, address) } ?? ["", "Keys: \(landfall) key create --app APP --kind server"]
        return (lines + ["", "Ctrl-C stops the server."]).joined(separator: "\n")
    }

    private func trying(_ demo: DemoApp, _ address: String) -> [String] {
        let keys = dataFolder?.appendingPathComponent(DemoApp.fileName).path ?? DemoApp.fileName
        let posting =
            showsKey
            ? [curl(key: demo.serverKey, address)]
            : ["  KEY=$(\(landfall) key create --app \(demo.app) --kind server)", curl(key: "$KEY", address)]
        return ["", "Post what happened to one notification (accepted, arrived, tapped):", ""] + posting + [
            "", "See the result:", "", "  \(landfall) funnel --app \(demo.app)", "",
            showsKey
                ? "This key is not shown again. It is in \(keys), with other keys of the app '\(demo.app)'"
                : "The first keys of the app '\(demo.app)' are in \(keys)",
        ]
    }

    /// One line, as short as possible, because people copy it.
    private func curl(key: String, _ address: String) -> String {
        let now = Instant.now
        let id = UUID.versionSeven(at: now).uuidString.lowercased()
        let times =
            "\"occurred_at\":\(now.millisecondsSinceEpoch),\"reported_at\":\(now.millisecondsSinceEpoch)"
        let token = (0..<16).map { _ in String(format: "%02x", UInt8.random(in: 0...255)) }.joined()
        let events = """
            [{"type":"response","notification_id":"\(id)","provider":"apns","status":200,"token":"\(token)",\
            "campaign":"hello"},{"type":"arrival","notification_id":"\(id)",\(times)},\
            {"type":"click","notification_id":"\(id)",\(times)}]
            """
        return "  curl -sS \(address)/v1/events -H \"Authorization: Bearer \(key)\" -d '\(events)'"
    }

    /// The command next to the server's own binary, with the data folder if `LANDFALL_DATA` is set.
    private var landfall: String {
        let binary = URL(fileURLWithPath: CommandLine.arguments.first ?? "landfall-server")
            .deletingLastPathComponent().appendingPathComponent("landfall").path
        let here = FileManager.default.currentDirectoryPath + "/"
        let isThere = FileManager.default.isExecutableFile(atPath: binary)
        let command = binary.hasPrefix(here) ? String(binary.dropFirst(here.count)) : binary
        let folder = environment["LANDFALL_DATA"].map { "LANDFALL_DATA=\(shellWord($0)) " } ?? ""
        return folder + (isThere ? shellWord(command) : "landfall")
    }
}

/// The app that a private database gets on its first start, to have something to try at once.
///
/// Its keys are kept in the data folder (mode 0600), because the database stores only digests.
struct DemoApp: Codable, Sendable {
    static let slug = "demo"
    static let fileName = "demo-keys.json"

    let app: String
    let serverKey: String
    let deviceKey: String
    let reportKey: String

    /// Creates the app if the database has no apps yet; `nil` if it has others.
    ///
    /// - Returns: the app, and whether this call created it.
    static func prepare(
        _ backend: Backend, dataFolder: URL
    ) async throws -> (app: DemoApp, isNew: Bool)? {
        let file = dataFolder.appendingPathComponent(fileName)
        let stored = try? JSONDecoder().decode(DemoApp.self, from: Data(contentsOf: file))
        if let stored, try await backend.keys.credential(for: stored.serverKey) != nil {
            return (stored, false)
        }
        guard let made = try await create(backend) else { return nil }
        try made.store(in: file)
        return (made, true)
    }

    private static func create(_ backend: Backend) async throws -> DemoApp? {
        try await backend.front.pool.withTransaction { connection in
            let directory = AppDirectory(connection)
            let now = Instant.now
            guard try directory.apps().isEmpty else { return nil }
            let app = try directory.createApp(slug: slug, at: now)
            return DemoApp(
                app: app.slug,
                serverKey: try directory.createKey(kind: .server, for: app, at: now).text,
                deviceKey: try directory.createKey(kind: .device, for: app, at: now).text,
                reportKey: try directory.createKey(kind: .report, for: app, at: now).text)
        }
    }

    private func store(in file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try SecretFile.replace(file, contents: try encoder.encode(self))
    }
}

extension UUID {
    /// A version 7 id (RFC 9562, 5.7): 48 bits of milliseconds, the rest random.
    static func versionSeven(at instant: Instant) -> UUID {
        var bytes = UUID().uuid
        let milliseconds = UInt64(instant.millisecondsSinceEpoch)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * index)) }
        }
        bytes.6 = bytes.6 & 0x0F | 0x70
        return UUID(uuid: bytes)
    }
}
