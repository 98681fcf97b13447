internal import ChildPrograms
internal import Foundation

/// A phone that receives notifications, one after the other, while its programs are killed at random.
struct Phone: Sendable {
    let number: Int
    let folder: URL
    let token: String
    /// Set once the app has registered.
    var deviceID = ""

    private var log: URL { folder.appendingPathComponent("log") }

    /// Runs the extension or the app, and kills it after `killedAfter` microseconds.
    ///
    /// - Returns: the number of events that it said it had recorded, and its exit code; `nil` if it was
    ///   killed.
    func run(
        _ program: URL, _ kind: String, _ address: String, key: String, _ script: [String: Any],
        killedAfter: UInt32?
    ) throws -> (recorded: Int, code: Int32?) {
        let bytes = try JSONSerialization.data(withJSONObject: script)
        let before = lines.count
        let child = try ChildProgram.start(
            program, [kind, folder.path, address, key, String(decoding: bytes, as: UTF8.self)], log: log)
        var code: Int32?
        if let killedAfter {
            usleep(killedAfter)
            child.killAtOnce()
        } else {
            code = child.waitForExitCode()
        }
        return (lines.dropFirst(before).count { $0 == "recorded" }, code)
    }

    private var lines: [Substring] {
        ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n")
    }

    /// What a killed program left, for a failure's message.
    var lastLines: String { lines.suffix(10).joined(separator: "\n") }

    /// The names of the events in the spool, read without the kit.
    func waiting() -> Set<String> {
        let spool = folder.appendingPathComponent("group/Landfall/v1/spool")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: spool.path)) ?? []
        return Set(
            names.compactMap { name in
                let bytes = try? Data(contentsOf: spool.appendingPathComponent(name))
                guard
                    var item = bytes.flatMap({ try? JSONSerialization.jsonObject(with: $0) })
                        as? [String: Any]
                else { return nil }
                item["device_id"] = deviceID
                return BadNetwork.name(of: item)
            })
    }

    /// Whether the kit dropped events, or set files aside.
    var hasDropped: Bool {
        let folder = folder.appendingPathComponent("group/Landfall/v1")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let bad =
            (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("bad").path))
            ?? []
        return names.contains { $0.hasPrefix("dropped") } || !bad.isEmpty
    }

    /// Reads the id from the keychain.
    mutating func learnDeviceID() throws {
        let bytes = try Data(contentsOf: folder.appendingPathComponent("keychain/device_id"))
        let id = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        deviceID = id.uuidString.lowercased()
    }
}
