import Foundation
import Testing

@testable import LandfallApp
@testable import LandfallCore

@Suite struct SpoolTests {
    private let folder: TemporaryFolder
    private let spool: Spool

    init() throws {
        folder = try TemporaryFolder()
        spool = Spool(folder: folder.url.appendingPathComponent("Landfall/v1"), isShared: true)
    }

    private func write(_ number: Int, at time: Int64? = nil, to spool: Spool? = nil) throws -> Spool.Written {
        try (spool ?? self.spool).write(
            Data(#"{"number":\#(number)}"#.utf8), identity: "event \(number)", at: time ?? Int64(number))
    }

    @Test("keeps each event in a file of its own, oldest first")
    func order() throws {
        for number in [3, 1, 2] { #expect(try write(number, at: Int64(number) * 1_000) == .new) }
        let events = spool.files().map { spool.read($0).map { String(decoding: $0, as: UTF8.self) } }
        #expect(events == [#"{"number":1}"#, #"{"number":2}"#, #"{"number":3}"#])
        #expect(spool.files().first?.name == "0000000001000-\(StableHash("event 1").hex).json")
    }

    @Test("keeps an event that is reported twice once, with its first time")
    func twice() throws {
        #expect(try write(1, at: 1_000) == .new)
        #expect(try write(1, at: 2_000) == .known)
        #expect(spool.files().map(\.occurredAt) == [1_000])
    }

    @Test("drops the oldest beyond its bound, and counts them")
    func bound() throws {
        var bounds = Spool.Bounds()
        bounds.files = 10
        let small = Spool(folder: spool.folder, isShared: true, bounds: bounds)
        for number in 1...25 { _ = try write(number, to: small) }
        #expect(small.files().map(\.occurredAt) == (16...25).map { Int64($0) })
        #expect(small.droppedCount == 15)
    }

    @Test("drops what is older than its bound, and counts it")
    func age() throws {
        let day: Int64 = 86_400_000
        let now: Int64 = 1_772_000_000_000
        _ = try write(1, at: now - 31 * day)
        _ = try write(2, at: now - 29 * day)
        spool.tidy(now: now)
        #expect(spool.files().map(\.occurredAt) == [now - 29 * day])
        #expect(spool.droppedCount == 1)
    }

    @Test("binds the number of dropped events to an event, as long as that waits")
    func dropped() throws {
        for number in 1...3 { _ = try write(number) }
        let files = spool.files()
        func waiting() -> [Spool.Event] { spool.files().map { Spool.Event(file: $0, bytes: Data()) } }
        func counts() -> [Int64] { files.map { spool.dropped(with: waiting()).count(with: $0) } }
        spool.countDropped(3)
        #expect(counts() == [3, 0, 0])
        spool.countDropped(2)
        #expect(counts() == [3, 0, 0], "the first may have been posted with 3")
        spool.drop(files[0])
        #expect(counts() == [0, 6, 0])
        for file in files { spool.dropped(with: waiting()).remove(with: file) }
        #expect(counts() == [0, 0, 0])
        #expect(spool.droppedCount == 0)
    }

    @Test("never says a number of dropped events that the server rejects with the event")
    func manyDropped() throws {
        _ = try write(1)
        spool.countDropped(1_000_001)
        let event = Spool.Event(file: spool.files()[0], bytes: Data())
        #expect(spool.dropped(with: [event]).count(with: event.file) == 1_000_000)
    }

    @Test("sets files aside that contain no event, and keeps ten of them")
    func unreadable() throws {
        for number in 1...12 { _ = try write(number) }
        for file in spool.files() {
            try Data("{\"type\":".utf8).write(to: spool.folder.appendingPathComponent("spool/\(file.name)"))
        }
        for file in spool.files() { #expect(spool.read(file) == nil) }
        #expect(spool.files().isEmpty)
        let kept = try FileManager.default.contentsOfDirectory(
            atPath: spool.folder.appendingPathComponent("bad").path)
        #expect(kept.count == 10)
        #expect(spool.droppedCount == 12)
    }

    @Test("ignores files that are not its own")
    func foreign() throws {
        _ = try write(1)
        for name in [".DS_Store", "x.json", "0000000000001-abc.json", "aaaaaaaaaaaaa-0123456789abcdef.json"] {
            try Data().write(to: spool.folder.appendingPathComponent("spool/\(name)"))
        }
        #expect(spool.files().count == 1)
    }

    @Test("removes what killed processes left unfinished, after a day")
    func unfinished() throws {
        _ = try write(1)
        let place = spool.folder.appendingPathComponent("unfinished/0000000000001-x")
        try Data("{".utf8).write(to: place)
        spool.tidy(now: 1_000)
        #expect(FileManager.default.fileExists(atPath: place.path))
        spool.tidy(now: 90_000_000)
        #expect(!FileManager.default.fileExists(atPath: place.path))
    }

    @Test("throws if its folder cannot be created")
    func noFolder() throws {
        let file = folder.url.appendingPathComponent("file")
        try Data().write(to: file)
        let spool = Spool(folder: file.appendingPathComponent("v1"), isShared: true)
        #expect(throws: (any Error).self) { try write(1, to: spool) }
        #expect(spool.files().isEmpty)
    }

    @Test("orders events of clocks before 1970 and after 2286, too")
    func clocks() throws {
        _ = try write(1, at: -5)
        _ = try write(2, at: .max)
        #expect(spool.files().map(\.occurredAt) == [0, 9_999_999_999_999])
    }
}
