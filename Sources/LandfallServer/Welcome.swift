internal import DeliveryModel
internal import Foundation
internal import Ingestion

/// What a person reads when the server is up: where it listens, a line to post with and a line to look with.
struct Welcome {
    let host: String
    let port: Int
    /// Nil with a database of the person's own.
    let dataFolder: URL?
    let demo: DemoApp?

    private var address: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    var text: String {
        var lines = ["Landfall listens on \(address)"]
        if let dataFolder { lines.append("Database: private PostgreSQL in \(dataFolder.path)") }
        if let demo {
            lines += [
                "", "Post what happened to one notification (accepted, arrived, tapped):", "",
                curl(key: demo.serverKey), "", "Look at it:", "", "  \(look(app: demo.app))", "",
                "More keys of the app '\(demo.app)' are in \(keysPath). Ctrl-C stops the server.",
            ]
        }
        return lines.joined(separator: "\n")
    }

    private var keysPath: String {
        dataFolder?.appendingPathComponent(DemoApp.fileName).path ?? DemoApp.fileName
    }

    /// One line, as short as it can be: people copy it.
    private func curl(key: String) -> String {
        let id = UUID.versionSeven(at: .now).uuidString.lowercased()
        let token = (0..<16).map { _ in String(format: "%02x", UInt8.random(in: 0...255)) }.joined()
        let events = """
            [{"type":"response","notification_id":"\(id)","provider":"apns","status":200,"token":"\(token)",\
            "campaign":"hello"},{"type":"arrival","notification_id":"\(id)"},\
            {"type":"click","notification_id":"\(id)"}]
            """
        return "  curl -sS \(address)/v1/events -H 'Authorization: Bearer \(key)' -d '\(events)'"
    }

    /// The command beside the server's own binary, with the data folder spelled out when it is not the default.
    private func look(app: String) -> String {
        let folder = ProcessInfo.processInfo.environment["LANDFALL_DATA"].map { "LANDFALL_DATA=\($0) " } ?? ""
        let binary = URL(fileURLWithPath: CommandLine.arguments.first ?? "landfall-server")
            .deletingLastPathComponent().appendingPathComponent("landfall")
        let isHere = FileManager.default.isExecutableFile(atPath: binary.path)
        let here = FileManager.default.currentDirectoryPath + "/"
        let command = binary.path.hasPrefix(here) ? String(binary.path.dropFirst(here.count)) : binary.path
        return "\(folder)\(isHere ? command : "landfall") funnel --app \(app)"
    }
}

extension UUID {
    /// A version 7 id (RFC 9562, 5.7): 48 bits of milliseconds, the rest random.
    static func versionSeven(at instant: Instant) -> UUID {
        var bytes = UUID().uuid
        let milliseconds = UInt64(instant.millisecondsSinceEpoch)
        bytes.0 = UInt8(truncatingIfNeeded: milliseconds >> 40)
        bytes.1 = UInt8(truncatingIfNeeded: milliseconds >> 32)
        bytes.2 = UInt8(truncatingIfNeeded: milliseconds >> 24)
        bytes.3 = UInt8(truncatingIfNeeded: milliseconds >> 16)
        bytes.4 = UInt8(truncatingIfNeeded: milliseconds >> 8)
        bytes.5 = UInt8(truncatingIfNeeded: milliseconds)
        bytes.6 = bytes.6 & 0x0F | 0x70
        return UUID(uuid: bytes)
    }
}
