import Foundation
import Testing

@testable import Dashboards

/// Logs that are rotated while they are posted, and in between.
@Suite("Posting a rotated log") struct LogRotationTests {
    @Test("logs that were renamed while no one followed them are read to their end first, in their order")
    func renamed() async throws {
        try await LogStage.run { stage in
            try stage.append(0..<3)
            try await stage.post()
            try stage.append(3..<5)
            try stage.rotate(to: "access.log.1")
            try stage.append(5..<8)
            try stage.rotate(to: "access.log-20261127")
            try stage.append(
                "{\"never\":\"read\"}\n", to: stage.file("access.log.bak"))
            try stage.append(8..<9)
            try await stage.post()
            #expect(stage.server.items == LogStage.lines(0..<9))
        }
    }

    @Test("a log that is renamed while it is followed is read to its end, with its last line")
    func followed() async throws {
        try await LogStage.run { stage in
            try stage.append(0..<3)
            var posting = try stage.posting()
            try await posting.postLines()
            try stage.rotate(to: "access.log.1")
            // The sender still writes to the old file until it opens the new one.
            let old = stage.file("access.log.1")
            try stage.append(3..<4, to: old)
            try await posting.postLines()
            try stage.append(LogStage.line(4), to: old)
            try stage.append(5..<6)
            try await posting.postLines()
            #expect(stage.server.items == LogStage.lines(0..<6))
            #expect(posting.tail.place.line == 1)
        }
    }

    @Test(
        "a log that is copied and truncated loses nothing: the copy is read to its end first",
        // Longer than before, and shorter.
        arguments: [20, 6], [true, false])
    func copied(end: Int, isFollowed: Bool) async throws {
        try await LogStage.run { stage in
            try stage.append(0..<3)
            var posting = try stage.posting()
            try await posting.postLines()
            try stage.append(3..<5)
            try FileManager.default.copyItem(
                at: stage.log, to: stage.file("access.log.1"))
            try FileHandle(forWritingTo: stage.log).truncate(atOffset: 0)
            if isFollowed { try await posting.postLines() }
            try stage.append(5..<end)
            try await posting.postLines()
            #expect(stage.server.items == LogStage.lines(0..<end))
            #expect(posting.tail.takeNotes().isEmpty)
        }
    }

    @Test("if the rest of a log is gone, a note says so, and the new one is read from its beginning")
    func gone() async throws {
        try await LogStage.run { stage in
            try stage.append(0..<3)
            try await stage.post()
            try FileManager.default.removeItem(at: stage.log)
            try stage.append(7..<9)
            var posting = try stage.posting()
            try await posting.postLines()
            #expect(stage.server.items == LogStage.lines(0..<3) + LogStage.lines(7..<9))
            #expect(posting.tail.takeNotes().count == 1)
        }
    }

    @Test("a log that is rotated several times during one pause is read file by file")
    func rotatedTwice() async throws {
        try await LogStage.run { stage in
            try stage.append(0..<3)
            var posting = try stage.posting()
            try await posting.postLines()
            try stage.append(3..<4)
            try stage.rotate(to: "access.log.3")
            try stage.append(4..<6)
            try stage.rotate(to: "access.log.2")
            try stage.append(6..<7)
            try stage.rotate(to: "access.log.1")
            try stage.append(7..<8)
            try await posting.postLines()
            #expect(stage.server.items == LogStage.lines(0..<8))
            #expect(posting.tail.place.line == 1)
        }
    }

    @Test("a rotated file that is removed or compressed after it was found is read nevertheless")
    func removed() async throws {
        try await LogStage.run { stage in
            let total = 3 * LogFile.mostLines
            try stage.append(0..<total)
            var posting = try stage.posting()
            var batches = 0
            try await posting.postLines(progress: { _ in
                batches += 1
                // Errors would leave lines out, which the expectation finds.
                if batches == 1 {
                    try? stage.rotate(to: "access.log.2")
                    try? stage.append(total..<(total + 2))
                    try? stage.rotate(to: "access.log.1")
                    try? stage.append((total + 2)..<(total + 3))
                } else if batches == 2 {
                    try? FileManager.default.removeItem(at: stage.file("access.log.2"))
                    try? FileManager.default.moveItem(
                        at: stage.file("access.log.1"), to: stage.file("access.log.1.gz"))
                }
            })
            #expect(stage.server.items == LogStage.lines(0..<(total + 3)))
            #expect(posting.tail.takeNotes().isEmpty)
        }
    }

    @Test("of compressed files, notes name those that may have unread lines; later files are read")
    func compressed() async throws {
        func note(_ name: String, in notes: [String]) -> Bool {
            notes.contains { $0.contains("/\(name) was compressed before it was read") }
        }
        try await LogStage.run { stage in
            try stage.append(0..<3)
            try await stage.post()
            try FileManager.default.removeItem(at: stage.log)
            for (name, seconds) in [
                ("access.log.5.gz", -50.0), ("access.log.4.gz", 50), ("access.log.3.gz", 60),
                ("access.log.2", 70), ("access.log.1", 80),
            ] {
                let number = Int(seconds)
                try stage.append(
                    name.hasSuffix(".gz") ? "\u{1F}" : LogStage.line(number) + "\n", to: stage.file(name))
                try FileManager.default.setAttributes(
                    [.modificationDate: Date.now + seconds], ofItemAtPath: stage.file(name).path)
            }
            try stage.append(90..<91)
            var posting = try stage.posting()
            try await posting.postLines()
            #expect(stage.server.items == LogStage.lines(0..<3) + [70, 80, 90].map { LogStage.line($0) })
            let notes = posting.tail.takeNotes()
            #expect(notes.count == 3)
            #expect(note("access.log.4.gz", in: notes) && note("access.log.3.gz", in: notes))
            #expect(!note("access.log.5.gz", in: notes))
        }
    }

    @Test("if the file that is followed is compressed, its lines and the next files are read")
    func compressedMeanwhile() async throws {
        try await LogStage.run { stage in
            try stage.append(0..<3)
            var posting = try stage.posting()
            try await posting.postLines()
            try stage.append(3..<4)
            // As gzip does: another file with the time of the original.
            let time = try #require(
                try FileManager.default.attributesOfItem(atPath: stage.log.path)[.modificationDate] as? Date)
            try FileManager.default.removeItem(at: stage.log)
            try stage.append("\u{1F}", to: stage.file("access.log.2.gz"))
            try FileManager.default.setAttributes(
                [.modificationDate: time - 1], ofItemAtPath: stage.file("access.log.2.gz").path)
            try stage.append(4..<5)
            try stage.rotate(to: "access.log.1")
            try stage.append(5..<6)
            try await posting.postLines()
            #expect(stage.server.items == LogStage.lines(0..<6))
            #expect(posting.tail.takeNotes().isEmpty)
        }
    }
}
