public import Foundation

/// Events that wait to be uploaded: a folder with one file per event, shared by the app and its extension.
///
/// A file appears under its name when it is complete, and is never changed. So any number of processes may write, upload and be killed
/// at any time, without locks: an event is either not there or whole. `<ms>-<hash>.json` is its name: the time of the event orders
/// and expires it, and the hash of its identity keeps an event that is reported twice from being written twice.
public struct Spool: Sendable {
    /// How much is kept; beyond that, the oldest events are dropped and counted.
    public struct Bounds: Sendable {
        public var files = 1_000
        public var days = 30
        /// Files that contain no event are kept, so that a developer can find out why.
        public var unreadableFiles = 10

        public init() {}
    }

    /// One waiting event.
    public struct File: Sendable {
        public let name: String

        /// The time of the event, in milliseconds since 1970; `nil` if the file is not the spool's.
        var occurredAt: Int64? {
            guard name.hasSuffix(".json"), name.utf8.count == 35 else { return nil }
            return Int64(name.prefix(13))
        }

        var hash: Substring { name.dropFirst(14).prefix(16) }
    }

    public enum Written: Sendable {
        case new
        /// The same event is waiting already.
        case known
    }

    public let folder: URL
    public let bounds: Bounds
    /// Whether the app and its extension share the folder. Without an App Group, each has its own.
    public let isShared: Bool

    private var waiting: URL { folder.appendingPathComponent("spool", isDirectory: true) }
    private var unfinished: URL { folder.appendingPathComponent("unfinished", isDirectory: true) }
    private var unreadable: URL { folder.appendingPathComponent("bad", isDirectory: true) }

    /// - Parameter folder: created when the first event is written; `Landfall/v1` in the App Group's container.
    public init(folder: URL, isShared: Bool, bounds: Bounds = Bounds()) {
        self.folder = folder
        self.isShared = isShared
        self.bounds = bounds
    }

    // MARK: - Writing

    /// Writes an event. When this returns, a killed process no longer loses it.
    ///
    /// - Parameters:
    ///   - identity: the same for events of which only the first counts.
    ///   - occurredAt: in milliseconds since 1970.
    /// - Throws: the error of the file system, if the folder cannot be written to.
    @discardableResult
    public func write(_ event: Data, identity: String, at occurredAt: Int64) throws -> Written {
        let hash = StableHash(identity).hex
        let files = files()
        guard !files.contains(where: { $0.hash == hash }) else { return .known }
        if files.count >= bounds.files { drop(files.prefix(files.count - bounds.files + 1)) }
        try write(event, named: hash, at: occurredAt)
        return .new
    }

    /// Writes an event that no other one equals, without looking for one: servers record thousands. ``tidy(now:)`` keeps the bound.
    public func append(_ event: Data, at occurredAt: Int64) throws {
        try write(event, named: StableHash(UUID().uuidString).hex, at: occurredAt)
    }

    private func write(_ event: Data, named hash: String, at occurredAt: Int64) throws {
        try makeFolders()
        let digits = String(min(max(occurredAt, 0), 9_999_999_999_999))
        let name = String(repeating: "0", count: 13 - digits.count) + digits + "-" + hash + ".json"
        let partial = unfinished.appendingPathComponent(name + "." + UUID().uuidString)
        do {
            try create(partial, event)
            try move(partial, to: waiting.appendingPathComponent(name))
        } catch {
            unlink(partial.path)
            throw error
        }
    }

    /// Creates a file that can be read while the device is locked, because extensions run then too. Events contain ids and times only.
    private func create(_ file: URL, _ bytes: Data) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error() }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // Class D, FileProtectionType.none.
            _ = fcntl(descriptor, F_SETPROTECTIONCLASS, 4)
        #endif
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: bytes)
    }

    /// Writes a file of the folder anew.
    func replace(_ name: String, _ bytes: Data) throws {
        let partial = unfinished.appendingPathComponent("0000000000000-" + UUID().uuidString)
        try create(partial, bytes)
        try move(partial, to: folder.appendingPathComponent(name))
    }

    private static func error() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    private func makeFolders() throws {
        guard !FileManager.default.fileExists(atPath: unfinished.path) else { return }
        // The last one to be created is the one that is checked.
        for folder in [waiting, unreadable, unfinished] {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: .unprotected)
        }
        excludeFromBackup()
    }

    private func excludeFromBackup() {
        #if canImport(Darwin)
            var folder = folder
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? folder.setResourceValues(values)
        #endif
    }

    private func move(_ file: URL, to place: URL) throws {
        guard rename(file.path, place.path) == 0 else { throw Self.error() }
    }

    // MARK: - Reading

    /// The waiting events, oldest first.
    public func files() -> [File] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: waiting.path)) ?? []
        return names.map(File.init).filter { $0.occurredAt != nil }.sorted { $0.name < $1.name }
    }

    /// The event in a file.
    ///
    /// - Returns: `nil` if there is none to upload: another process has uploaded it, the device is locked, or the file contains no
    ///   event, in which case it is set aside.
    public func read(_ file: File) -> Data? {
        let place = waiting.appendingPathComponent(file.name)
        guard let bytes = try? Data(contentsOf: place) else { return nil }
        if (try? JSONSerialization.jsonObject(with: bytes)) is [String: Any] { return bytes }
        setAside(file)
        return nil
    }

    private func setAside(_ file: File) {
        try? move(
            waiting.appendingPathComponent(file.name), to: unreadable.appendingPathComponent(file.name))
        countDropped(1)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: unreadable.path)) ?? []).sorted()
        for name in names.dropLast(bounds.unreadableFiles) {
            try? FileManager.default.removeItem(at: unreadable.appendingPathComponent(name))
        }
    }

    // MARK: - Removing

    /// Removes what the server has recorded, or rejected.
    public func remove(_ files: some Sequence<File>) {
        for file in files {
            try? FileManager.default.removeItem(at: waiting.appendingPathComponent(file.name))
        }
    }

    /// Removes events that will never be uploaded, and counts them.
    public func drop(_ files: some Sequence<File>) {
        for file in files where unlink(waiting.appendingPathComponent(file.name).path) == 0 {
            countDropped(1)
        }
    }

    /// Drops what is too old, and removes what killed processes left unfinished.
    public func tidy(now: Int64) {
        let oldest = now - Int64(bounds.days) * 86_400_000
        let files = files()
        drop(files.prefix(max(files.count - bounds.files, 0)))
        drop(files.prefix { $0.occurredAt ?? 0 < oldest })
        for name in (try? FileManager.default.contentsOfDirectory(atPath: unfinished.path)) ?? [] {
            // Its name says when; the file's own times would need a reason in the privacy manifest.
            guard let begun = Int64(name.prefix(13)), abs(now - begun) > 86_400_000 else { continue }
            try? FileManager.default.removeItem(at: unfinished.appendingPathComponent(name))
        }
    }

    /// Removes everything, for a device that was erased.
    public func removeAll() {
        try? FileManager.default.removeItem(at: folder)
    }
}

extension [FileAttributeKey: Any] {
    static var unprotected: Self {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            [.protectionKey: FileProtectionType.none]
        #else
            [:]
        #endif
    }
}
