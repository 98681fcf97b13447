import ChildPrograms
import Foundation
import Presets
import Synchronization
import Testing

@testable import Dashboards

/// `landfall post FILE`, with a server that may not respond and a program that is killed at any moment.
@Suite("Posting a log") struct PostFileTests {
    private struct Killed: Error {}

    /// A server that keeps all items.
    private final class Server: Sendable {
        private let state = Mutex<(items: [String], posts: Int)>(([], 0))
        var items: [String] { state.withLock { $0.items } }
        var posts: Int { state.withLock { $0.posts } }

        func record(_ items: [[UInt8]]) -> ItemVerdicts {
            state.withLock { state in
                state.posts += 1
                state.items += items.map { String(decoding: $0, as: UTF8.self) }
            }
            return ItemVerdicts(accepted: items.count, duplicates: 0, errors: [])
        }
    }

    /// The folder of a log, and a program that posts from it.
    private struct Stage {
        let folder: ThrowawayFolder
        let server = Server()
        var log: URL { folder.url.appendingPathComponent("access.log") }
        var place: String { folder.url.appendingPathComponent("position.json").path }

        func posting(send: LinePoster.Send? = nil) throws -> LogPosting {
            try LogPosting(
                log.path, PlaceFile(place), LinePoster(.events, send: send ?? { server.record($0) }))
        }

        /// Runs the program as a new process would.
        @discardableResult
        func post() async throws -> PostedCounts {
            var posting = try posting()
            try await posting.postLines()
            return posting.poster.counts
        }

        func append(_ numbers: Range<Int>, to url: URL? = nil) throws {
            try append(numbers.map { PostFileTests.line($0) + "\n" }.joined(), to: url)
        }

        func append(_ text: String, to url: URL? = nil) throws {
            let url = url ?? log
            if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
            let handle = try FileHandle(forWritingTo: url)
            defer { try? handle.close() }
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
        }

        func rotate(to name: String) throws {
            try FileManager.default.moveItem(at: log, to: folder.url.appendingPathComponent(name))
        }
    }

    private static func line(_ number: Int) -> String { #"{"type":"recall","notification_id":"\#(number)"}"# }

    private static func lines(_ numbers: Range<Int>) -> [String] { numbers.map { line($0) } }

    private func withStage(_ body: (Stage) async throws -> Void) async throws {
        let folder = try ThrowawayFolder.create(for: "post")
        defer { try? folder.remove() }
        try await body(Stage(folder: folder))
    }

    @Test("killed before or after any request, it loses no line, and repeats at most one batch each time")
    func killed() async throws {
        try await withStage { stage in
            let total = 4 * LogFile.mostLines + 7
            try stage.append(0..<total)
            var kills = 0
            while true {
                // The second request of each run is killed: before or after the server has recorded it.
                let (before, isAfter) = (stage.server.posts, kills.isMultiple(of: 2))
                var posting = try stage.posting { items in
                    guard stage.server.posts > before else { return stage.server.record(items) }
                    if isAfter { _ = stage.server.record(items) }
                    throw Killed()
                }
                do {
                    try await posting.postLines()
                    break
                } catch is Killed { kills += 1 }
            }
            #expect(kills > 3)
            #expect(Set(stage.server.items) == Set(Self.lines(0..<total)))
            #expect(stage.server.items.count > total)
            #expect(stage.server.items.count <= total + kills * LogFile.mostLines)
            #expect(try await stage.post().lines == 0)
        }
    }

    @Test("a second run posts only what was added")
    func again() async throws {
        try await withStage { stage in
            try stage.append(0..<3)
            #expect(try await stage.post().accepted == 3)
            try stage.append(3..<5)
            #expect(try await stage.post().accepted == 2)
            #expect(stage.server.items == Self.lines(0..<5))
        }
    }

    @Test("logs that were renamed while no one followed them are read to their end first, in their order")
    func renamed() async throws {
        try await withStage { stage in
            try stage.append(0..<3)
            try await stage.post()
            try stage.append(3..<5)
            try stage.rotate(to: "access.log.1")
            try stage.append(5..<8)
            try stage.rotate(to: "access.log-20261127")
            try stage.append(
                "{\"never\":\"read\"}\n", to: stage.folder.url.appendingPathComponent("access.log.bak"))
            try stage.append(8..<9)
            try await stage.post()
            #expect(stage.server.items == Self.lines(0..<9))
        }
    }

    @Test("a log that is renamed while it is followed is read to its end, with its last line")
    func followed() async throws {
        try await withStage { stage in
            try stage.append(0..<3)
            var posting = try stage.posting()
            try await posting.postLines()
            try stage.rotate(to: "access.log.1")
            // The sender still writes to the old file until it opens the new one.
            let old = stage.folder.url.appendingPathComponent("access.log.1")
            try stage.append(3..<4, to: old)
            try await posting.postLines()
            try stage.append(Self.line(4), to: old)
            try stage.append(5..<6)
            try await posting.postLines()
            #expect(stage.server.items == Self.lines(0..<6))
            #expect(posting.tail.place.line == 1)
        }
    }

    @Test("a log that is copied and truncated loses nothing: the copy is read to its end first")
    func copied() async throws {
        try await withStage { stage in
            try stage.append(0..<3)
            var posting = try stage.posting()
            try await posting.postLines()
            try stage.append(3..<5)
            try FileManager.default.copyItem(
                at: stage.log, to: stage.folder.url.appendingPathComponent("access.log.1"))
            try FileHandle(forWritingTo: stage.log).truncate(atOffset: 0)
            // Already longer than before.
            try stage.append(5..<20)
            try await posting.postLines()
            #expect(stage.server.items == Self.lines(0..<20))
            #expect(posting.tail.takeNotes().isEmpty)
        }
    }

    @Test("if the rest of a log is gone, a note says so, and the new one is read from its beginning")
    func gone() async throws {
        try await withStage { stage in
            try stage.append(0..<3)
            try await stage.post()
            try FileManager.default.removeItem(at: stage.log)
            try stage.append(7..<9)
            var posting = try stage.posting()
            try await posting.postLines()
            #expect(stage.server.items == Self.lines(0..<3) + Self.lines(7..<9))
            #expect(posting.tail.takeNotes().count == 1)
        }
    }

    @Test("a bad line is posted as unread_line with its number and text, and the others as they are")
    func badLine() async throws {
        try await withStage { stage in
            let long = #"{"a":""# + String(repeating: "x", count: LineCutter.mostLineBytes) + #""}"#
            try stage.append("\(Self.line(0))\r\n\n{\"type\": \nnot \"json\"\n\(long)\n\(Self.line(1))\n")
            var posting = try stage.posting { items in
                let verdicts = stage.server.record(items)
                let unread = items.indices.filter {
                    String(decoding: items[$0], as: UTF8.self).contains("unread_line")
                }
                return ItemVerdicts(
                    accepted: verdicts.accepted - unread.count, duplicates: 0,
                    errors: unread.map { .init(index: $0, code: "unread_post", detail: "see the item") })
            }
            try await posting.postLines()
            let items = stage.server.items
            #expect(items.first == Self.line(0) && items.last == Self.line(1))
            let garbage = try #require(items.first { $0.contains(#"not \"json\""#) })
            #expect(garbage.contains(#""line":4"#) && garbage.contains(#""form":"events""#))
            let cut = try #require(items.first { $0.contains("too_long") })
            #expect(cut.contains(#""line":5"#) && cut.utf8.count < 64 << 10)
            #expect(posting.poster.counts.lines == 5)
            #expect(posting.takeNews().contains { $0.line == 5 && $0.code == "too_long" })
        }
    }

    @Test("a last line without a line break is posted if it is whole, and left for the next run if not")
    func lastLine() async throws {
        try await withStage { stage in
            try stage.append(Self.line(0))
            do {
                var posting = try stage.posting()
                try await posting.postLines()
                #expect(stage.server.items.isEmpty)
                #expect(try await posting.postRest())
                #expect(stage.server.items == [Self.line(0)])
            }
            try stage.append("\nbro")
            do {
                var posting = try stage.posting()
                try await posting.postLines()
                #expect(try await !posting.postRest())
            }
            try stage.append("ken\n")
            try await stage.post()
            #expect(stage.server.items.count == 2)
            #expect(stage.server.items[1].contains("broken"))
        }
    }
}
