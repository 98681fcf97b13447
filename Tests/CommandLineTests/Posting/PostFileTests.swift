import Foundation
import Presets
import Testing

@testable import Dashboards

/// `landfall post FILE`, with a server that may not respond and a program that is killed at any moment.
@Suite("Posting a log") struct PostFileTests {
    private struct Killed: Error {}

    @Test("killed before or after any request, it loses no line, and repeats at most one batch each time")
    func killed() async throws {
        try await LogStage.run { stage in
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
            #expect(Set(stage.server.items) == Set(LogStage.lines(0..<total)))
            #expect(stage.server.items.count > total)
            #expect(stage.server.items.count <= total + kills * LogFile.mostLines)
            #expect(try await stage.post().lines == 0)
        }
    }

    @Test("a second run posts only what was added")
    func again() async throws {
        try await LogStage.run { stage in
            try stage.append(0..<3)
            #expect(try await stage.post().accepted == 3)
            try stage.append(3..<5)
            #expect(try await stage.post().accepted == 2)
            #expect(stage.server.items == LogStage.lines(0..<5))
        }
    }

    @Test("a bad line is posted as unread_line with its number and text, and the others as they are")
    func badLine() async throws {
        try await LogStage.run { stage in
            let long = #"{"a":""# + String(repeating: "x", count: LineCutter.mostLineBytes) + #""}"#
            try stage.append(
                "\(LogStage.line(0))\r\n\n{\"type\": \nnot \"json\"\n\(long)\n\(LogStage.line(1))\n")
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
            #expect(items.first == LogStage.line(0) && items.last == LogStage.line(1))
            let garbage = try #require(items.first { $0.contains(#"not \"json\""#) })
            #expect(garbage.contains(#""line":4"#) && garbage.contains(#""form":"events""#))
            let cut = try #require(items.first { $0.contains("too_long") })
            #expect(cut.contains(#""line":5"#) && cut.utf8.count < 64 << 10)
            #expect(posting.poster.counts.lines == 5)
            #expect(posting.takeNews().contains { $0.line == 5 && $0.code == "too_long" })
        }
    }

    @Test(
        "a last line without a line break is left for the next run unless it is a whole JSON value",
        arguments: LineFormat.allCases)
    func halfLine(format: LineFormat) {
        #expect(format.isWhole(Array(#"{"a":{"b":[1]}} "#.utf8)) == (format != .csv))
        for half in [#"{"type":"recall","notif"#, #"{"a":{}"#, "[1,2", "12", "click,a1", ""] {
            #expect(!format.isWhole(Array(half.utf8)), "\(half)")
        }
    }

    @Test("half of a JSON line, and half of a record of a CSV, are read again by the next run")
    func halves() async throws {
        for (format, whole, half, rest) in [
            (
                LineFormat.events, LogStage.line(0) + "\n", String(LogStage.line(1).dropLast(9)),
                String(LogStage.line(1).suffix(9))
            ),
            (.csv, "type,notification_id,action\nrecall,0,a\n", "recall,1,\"two\n", "lines\""),
        ] {
            try await LogStage.run { stage in
                try stage.append(whole + half)
                do {
                    var posting = try stage.posting(format)
                    try await posting.postLines()
                    #expect(try await !posting.postRest())
                }
                #expect(stage.server.items.count == 1)
                try stage.append(rest + "\n")
                var posting = try stage.posting(format)
                try await posting.postLines()
                #expect(try await posting.postRest())
                #expect(Set(stage.server.items).count == 2)
                #expect(!stage.server.items.joined().contains("unread_line"))
            }
        }
    }

    @Test("the header of a CSV is found again after blank lines, and after a byte order mark")
    func header() async throws {
        try await LogStage.run { stage in
            try stage.append("\u{FEFF}\n \n")
            for (number, text) in ["type,notification_id\n", "recall,1\n", "recall,2\n"].enumerated() {
                try stage.append(text)
                var posting = try stage.posting(.csv)
                try await posting.postLines()
                #expect(stage.server.items.count == number)
            }
            #expect(stage.server.items.last == #"{"type":"recall","notification_id":"2"}"#)
        }
    }

    @Test("a last line without a line break is posted if it is whole, and left for the next run if not")
    func lastLine() async throws {
        try await LogStage.run { stage in
            try stage.append(LogStage.line(0))
            do {
                var posting = try stage.posting()
                try await posting.postLines()
                #expect(stage.server.items.isEmpty)
                #expect(try await posting.postRest())
                #expect(stage.server.items == [LogStage.line(0)])
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
