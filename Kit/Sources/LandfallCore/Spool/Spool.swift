public import Foundation

/// Events that wait to be uploaded: a folder with one file per event, shared by the app and its extension.
///
/// A file appears under its name when it is complete, and is never changed. So any number of processes may
/// write, upload and be killed at any time, without locks: an event is either not there or whole.
/// `<ms>-<hash>.json` is its name: the time of the event orders and expires it, and the hash of its identity
/// keeps an event that is reported twice from being written twice.
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
            name.hasSuffix(".json") && name.utf8.count == 35 ? Int64(digits: String(name.prefix(13))) : nil
        }

        /// The part of the name that an event always has, whatever its time.
        var ending: String { String(name.dropFirst(13)) }
    }

    /// An event, with the file that it is in, or would be in if the disk accepted it.
    struct Event: Sendable {
        let file: File
        let bytes: Data
    }

    public enum Written: Sendable {
        case new
        /// An equal event is waiting already.
        case known
    }

    /// What clocks show that were set: from 2009-01-01 00:00 UTC, before which the server accepts no time, to
    /// 2286. An event with another time is not too old.
    static let setClocks: Range<Int64> = 1_230_768_000_000..<10_000_000_000_000

    public let folder: URL
    public let bounds: Bounds
    /// Whether the app and its extension share the folder. Without an App Group, each has its own.
    public let isShared: Bool

    private static let waiting = "spool/"
    private static let unfinished = "unfinished/"
    private static let unreadable = "bad/"

    /// - Parameter folder: created when the first event is written; `Landfall/v1` in the App Group's
    ///   container.
    public init(folder: URL, isShared: Bool, bounds: Bounds = Bounds()) {
        self.folder = folder
        self.isShared = isShared
        self.bounds = bounds
    }

    func path(_ name: String) -> String { folder.path + "/" + name }

    func path(_ file: File) -> String { path(Self.waiting + file.name) }

    /// What the folder contains, or one of its folders.
    func names(in name: String = "") -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []
    }

    // MARK: - Writing

    /// Writes an event. When this returns, a killed process no longer loses it.
    ///
    /// - Throws: the error of the file system, if the folder cannot be written to.
    @discardableResult
    func write(_ event: Event) throws -> Written {
        let ending = event.file.ending
        let names = names(in: Self.waiting)
        guard !names.contains(where: { $0.hasSuffix(ending) }) else { return .known }
        if names.count >= bounds.files { dropOldest(of: files(), beyond: bounds.files - 1) }
        try place(event)
        return .new
    }

    /// Writes an event that no other one equals, without looking for one: servers record thousands.
    /// ``tidy(now:)`` keeps the bound.
    public func append(_ event: Data, at occurredAt: Int64) throws {
        try place(Event(file: File(identity: UUID().uuidString, at: occurredAt), bytes: event))
    }

    private func place(_ event: Event) throws {
        let place = Self.waiting + event.file.name
        do {
            try replace(place, event.bytes, partial: event.file.name + ".")
        } catch POSIXError.ENOENT {
            // The first event, a folder that was removed, or a process with another time that tidied
            // meanwhile.
            try makeFolders()
            try replace(place, event.bytes, partial: event.file.name + ".")
        }
    }

    /// Writes a file, which appears when it is complete.
    ///
    /// - Parameter partial: the beginning of its name until then, a time.
    func replace(_ name: String, _ bytes: Data, partial: String = "0000000000000-") throws {
        let partial = path(Self.unfinished + partial + UUID().uuidString)
        do {
            try create(partial, bytes)
            guard rename(partial, path(name)) == 0 else { throw Self.error() }
        } catch {
            unlink(partial)
            throw error
        }
    }

    /// Creates a file that can be read while the device is locked, because extensions run then too. Events
    /// contain ids and times only.
    private func create(_ path: String, _ bytes: Data) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error() }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // Class D, FileProtectionType.none.
            _ = fcntl(descriptor, F_SETPROTECTIONCLASS, 4)
        #endif
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: bytes)
    }

    private static func error() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    private func makeFolders() throws {
        for name in [Self.waiting, Self.unreadable, Self.unfinished] {
            try FileManager.default.createDirectory(
                atPath: path(name), withIntermediateDirectories: true, attributes: .unprotected)
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
        var files: [File] = []
        // By name, which begins with the time.
        for name in names(in: Self.waiting).sorted() {
            let file = File(name: name)
            if file.occurredAt != nil { files.append(file) }
        }
        return files
    }

    /// The event in a file.
    ///
    /// - Returns: `nil` if there is none to upload: another process has uploaded it, the device is locked, or
    ///   the file contains no event, in which case it is set aside.
    public func read(_ file: File) -> Data? {
        switch SmallFile(path(file), limit: bounds.bytesPerFile) {
        case .unavailable: return nil
        case .bytes(let bytes) where Self.isEvent(bytes): return bytes
        case .bytes, .unexpected:
            setAside(file)
            return nil
        }
    }

    /// Whether the bytes are an object that can also be written: a number that is too large cannot, and would
    /// keep the whole request from being posted.
    private static func isEvent(_ bytes: Data) -> Bool {
        guard let object = (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any] else {
            return false
        }
        return JSONSerialization.isValidJSONObject(object)
    }

    private func setAside(_ file: File) {
        guard
            rename(path(file), path(Self.unreadable + file.name)) == 0
                || (try? FileManager.default.removeItem(atPath: path(file))) != nil
        else { return }
        countDropped(1)
        let names = names(in: Self.unreadable).sorted()
        for name in names.dropLast(bounds.unreadableFiles) {
            try? FileManager.default.removeItem(atPath: path(Self.unreadable + name))
        }
    }

    // MARK: - Removing

    /// Removes what the server has recorded, or rejected.
    ///
    /// - Returns: `false` if it cannot be removed.
    @discardableResult
    public func remove(_ file: File) -> Bool { unlink(path(file)) == 0 || errno == ENOENT }

    /// Removes an event that will never be uploaded, and counts it.
    public func drop(_ file: File) {
        if unlink(path(file)) == 0 { countDropped(1) }
    }

    private func dropOldest(of files: [File], beyond count: Int) {
        for file in files.prefix(max(files.count - count, 0)) { drop(file) }
    }

    /// Drops what is too old, and removes what killed processes left unfinished.
    public func tidy(now: Int64) {
        let files = files()
        dropOldest(of: files, beyond: bounds.files)
        let oldest = now - Int64(bounds.days) * 86_400_000
        for file in files {
            guard let time = file.occurredAt, time < oldest else { break }
            if Self.setClocks.contains(time) { drop(file) }
        }
        for name in names(in: Self.unfinished) {
            // Its name says when; the file's own times would need a reason in the privacy manifest.
            guard let begun = Int64(digits: String(name.prefix(13))), abs(now - begun) > 86_400_000 else {
                continue
            }
            try? FileManager.default.removeItem(atPath: path(Self.unfinished + name))
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

extension Spool.File {
    init(identity: String, at occurredAt: Int64) {
        let time = min(max(occurredAt, 0), 9_999_999_999_999)
        name = String(format: "%013lld-", time) + StableHash(identity).hex + ".json"
    }
}

extension Int64 {
    /// One parser for all: where a number is read, the compiler would write another one.
    @inline(never)
    init?(digits: String) {
        self.init(digits)
    }
}
