public import Foundation

/// A file system of a few megabytes that a test can fill up. Only root may mount one, and not everywhere.
public struct SmallDisk: Sendable {
    public let folder: URL
    private var filler: URL { folder.appendingPathComponent("filler") }

    /// Whether this machine allows the mount.
    public static var isPossible: Bool {
        guard let disk = try? SmallDisk(megabytes: 1) else { return false }
        disk.remove()
        return true
    }

    public init(megabytes: Int) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("landfall-disk-\(UUID())", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            try run("mount", "-t", "tmpfs", "-o", "mode=0777,size=\(megabytes)m", "tmpfs", folder.path)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    /// Creates a folder on it that belongs to this user.
    public func makeFolder(owner: String) throws -> URL {
        let url = folder.appendingPathComponent("data", isDirectory: true)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false,
            attributes: [.ownerAccountName: owner, .posixPermissions: 0o700])
        return url
    }

    /// Fills the remaining space.
    public func fill() throws {
        if !FileManager.default.fileExists(atPath: filler.path) {
            _ = FileManager.default.createFile(atPath: filler.path, contents: nil)
        }
        let file = try FileHandle(forWritingTo: filler)
        try file.seekToEnd()
        let page = Data(count: 4_096)
        while (try? file.write(contentsOf: page)) != nil {}
        try file.close()
    }

    /// Fills what others free as well, until `body` ends: a vacuum that cuts a table makes room for many
    /// writes.
    public func whileFull(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try fill()
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
            try await body()
            group.cancelAll()
        }
    }

    public func removeAll(named name: String) throws {
        for path in FileManager.default.enumerator(atPath: folder.path)?.compactMap({ $0 as? String }) ?? []
        where path.hasSuffix("/\(name)") {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(path))
        }
    }

    public func makeRoom() throws { try FileManager.default.removeItem(at: filler) }

    public func remove() {
        try? run("umount", "-l", folder.path)
        try? FileManager.default.removeItem(at: folder)
    }

    private func run(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NotMounted() }
    }

    private struct NotMounted: Error {}
}
