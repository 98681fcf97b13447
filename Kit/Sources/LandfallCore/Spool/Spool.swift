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
        /// A larger file contains no event: the server reads no larger item.
        public var bytesPerFile = 65_536

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

    /// What clocks show that were set: from 2009-01-01 00:00 UTC, before which the server accepts no time, to 2286. An event with
    /// another time is not too old.
    static let setClocks: Range<Int64> = 1_230_768_000_000..<10_000_000_000_000

    public let folder: URL
    public let bounds: Bounds
    /// Whether the app and its extension share the folder. Without an App Group, each has its own.
    public let isShared: Bool

    var waiting: URL { folder.appendingPathComponent("spool", isDirectory: true) }
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
        let digits = String(min(max(occurredAt, 0), 9_999_999_999_999))
        let name = String(repeating: "0", count: 13 - digits.count) + digits + "-" + hash + ".json"
        do {
            try place(event, at: waiting.appendingPathComponent(name), partial: name + ".")
        } catch POSIXError.ENOENT {
            // The first event, a folder that was removed, or a process with another time that tidied meanwhile.
            try makeFolders()
            try place(event, at: waiting.appendingPathComponent(name), partial: name + ".")
        }
    }

    /// Writes a file, which appears when it is complete.
    ///
    /// - Parameter partial: the beginning of its name until then, a time.
    private func place(_ bytes: Data, at place: URL, partial: String) throws {
        let partial = unfinished.appendingPathComponent(partial + UUID().uuidString)
        do {
            try create(partial, bytes)
            guard rename(partial.path, place.path) == 0 else { throw Self.error() }
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
        try place(bytes, at: folder.appendingPathComponent(name), partial: "0000000000000-")
    }

    private static func error() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    private func makeFolders() throws {
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
        switch SmallFile(waiting.appendingPathComponent(file.name).path, limit: bounds.bytesPerFile) {
        case .unavailable: return nil
        case .bytes(let bytes) where Self.isEvent(bytes): return bytes
        case .bytes, .unexpected:
            setAside(file)
            return nil
        }
    }

    /// Whether the bytes are an object that can also be written: a number that is too large cannot, and would keep the whole request
    /// from being posted.
    private static func isEvent(_ bytes: Data) -> Bool {
        guard let object = (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any] else {
            return false
        }
        return JSONSerialization.isValidJSONObject(object)
    }

    private func setAside(_ file: File) {
        let place = waiting.appendingPathComponent(file.name)
        guard
            rename(place.path, unreadable.appendingPathComponent(file.name).path) == 0
                || (try? FileManager.default.removeItem(at: place)) != nil
        else { return }
        countDropped(1)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: unreadable.path)) ?? []).sorted()
        for name in names.dropLast(bounds.unreadableFiles) {
            try? FileManager.default.removeItem(at: unreadable.appendingPathComponent(name))
        }
    }

    // MARK: - Removing

    /// Removes what the server has recorded, or rejected.
    ///
    /// - Returns: what cannot be removed.
    @discardableResult
    public func remove(_ files: some Sequence<File>) -> [File] {
        files.filter { unlink(waiting.appendingPathComponent($0.name).path) != 0 && errno != ENOENT }
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
        drop(
            files.prefix { $0.occurredAt ?? 0 < oldest }
                .filter { Self.setClocks.contains($0.occurredAt ?? 0) })
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
