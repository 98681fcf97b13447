import ChildPrograms
import Foundation
import Presets
import Synchronization

@testable import Dashboards

/// The folder of a log, a program that posts from it, and a server that keeps all items.
struct LogStage {
    final class Server: Sendable {
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

    let folder: ThrowawayFolder
    let server = Server()
    var log: URL { file("access.log") }
    var place: String { file("position.json").path }

    static func run(_ body: (LogStage) async throws -> Void) async throws {
        let folder = try ThrowawayFolder.create(for: "post")
        defer { try? folder.remove() }
        try await body(LogStage(folder: folder))
    }

    static func line(_ number: Int) -> String { #"{"type":"recall","notification_id":"\#(number)"}"# }

    static func lines(_ numbers: Range<Int>) -> [String] { numbers.map { line($0) } }

    func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    func posting(_ format: LineFormat = .events, send: LinePoster.Send? = nil) throws -> LogPosting {
        try LogPosting(log.path, PlaceFile(place), LinePoster(format, send: send ?? { server.record($0) }))
    }

    /// Runs the program as a new process would.
    @discardableResult
    func post() async throws -> PostedCounts {
        var posting = try posting()
        try await posting.postLines()
        return posting.poster.counts
    }

    func append(_ numbers: Range<Int>, to url: URL? = nil) throws {
        try append(numbers.map { Self.line($0) + "\n" }.joined(), to: url)
    }

    func append(_ text: String, to url: URL? = nil) throws {
        let url = url ?? log
        if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
    }

    func rotate(to name: String) throws { try FileManager.default.moveItem(at: log, to: file(name)) }
}
