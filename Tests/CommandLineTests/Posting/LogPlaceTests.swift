import ChildPrograms
import Foundation
import Presets
import Testing

@testable import Dashboards

/// The position in a log, and the lines that it counts.
@Suite("The place in a log") struct LogPlaceTests {
    @Test("two programs cannot keep one position, and a damaged position is an error")
    func file() throws {
        let folder = try ThrowawayFolder.create(for: "place")
        defer { try? folder.remove() }
        let path = folder.url.appendingPathComponent("state/position.json").path
        let first = try PlaceFile(path)
        #expect(throws: PlaceTaken.self) { try PlaceFile(path) }
        #expect(try first.read() == nil)
        let place = LogPlace(inode: 7, offset: 12, line: 1, head: "ab")
        try first.write(place)
        #expect(try first.read() == place)
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: CommandProblem.self) { try first.read() }
    }

    @Test("each log, server and app has a place of its own")
    func standardPath() {
        func path(_ log: String, _ server: String, _ app: String) -> String {
            PlaceFile.standardPath(of: log, "events", to: server, app: app, ["HOME": "/home/a"])
        }
        let paths = [
            path("/var/log/a", "http://a", "shop"), path("/var/log/b", "http://a", "shop"),
            path("/var/log/a", "http://b", "shop"), path("/var/log/a", "http://a", "news"),
        ]
        #expect(Set(paths).count == 4)
        #expect(paths.allSatisfy { $0.hasPrefix("/home/a/.local/state/landfall/post/") })
        #expect(path("/var/log/../log/a", "http://a", "shop") == paths[0])
    }

    @Test("lines are the same however the bytes arrive", arguments: [1, 2, 3, 7, 1_000])
    func cutter(size: Int) {
        let bytes = Array("\u{FEFF}one\r\n\n  \nfour\n\u{FEFF}five\nsix".utf8)
        var whole = LineCutter()
        var expected = whole.cut(bytes[...])
        expected += [whole.takeRest()].compactMap(\.self)
        var cutter = LineCutter()
        var lines: [LogLine] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines += cutter.cut(bytes[start..<min(start + size, bytes.count)])
        }
        lines += [cutter.takeRest()].compactMap(\.self)
        #expect(lines == expected)
        #expect(lines.map(\.number) == Array(1...6))
        #expect(lines.first?.text == Array("one".utf8))
        #expect(cutter.end == Int64(bytes.count))
    }

    @Test("a record of a CSV over several lines is not cut in two: the place stays before it")
    func csv() async throws {
        var items: [[UInt8]] = []
        var poster = LinePoster(.csv) { posted in
            items += posted
            return ItemVerdicts(accepted: posted.count, duplicates: 0, errors: [])
        }
        func line(_ number: Int, _ text: String) -> LogLine {
            LogLine(text: Array(text.utf8), number: number)
        }
        try await poster.post([
            line(1, "type,notification_id,action"), line(2, "click,a1,buy"), line(3, #"click,a2,"two"#),
        ])
        #expect(items.count == 1 && !poster.isBetweenRecords)
        try await poster.post([line(4, #"lines""#)])
        #expect(items.count == 2 && poster.isBetweenRecords)
        // After a restart, the header is known again.
        poster.begin(after: line(1, "type,notification_id,action"))
        try await poster.post([line(5, "click,a3,buy"), line(6, #"click,a4,"open"#)])
        try await poster.finish()
        #expect(items.count == 4 && poster.counts.items == 4)
    }
}
