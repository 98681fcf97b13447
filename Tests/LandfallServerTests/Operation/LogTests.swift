import Basics
import Foundation
import Logging
import Synchronization
import Testing

@testable import LandfallServer

@Suite struct LogTests {
    /// The lines that a logger wrote.
    private final class Lines: Sendable {
        private let written = Mutex<[String]>([])
        var all: [String] { written.withLock { $0 } }
        func add(_ line: String) { written.withLock { $0.append(line) } }
    }

    private func logger(_ lines: Lines, isJSON: Bool) -> Logger {
        Logger(label: "landfall") { LineLogHandler(label: $0, isJSON: isJSON) { lines.add($0) } }
    }

    private func line(_ message: String, _ metadata: Logger.Metadata = [:]) -> LogLine {
        LogLine(
            at: Instant(millisecondsSinceEpoch: 1_772_357_400_250), level: .error, label: "landfall",
            message: message, metadata: metadata)
    }

    @Test("a text line has the instant in UTC, the level, and the metadata sorted by name")
    func text() {
        #expect(
            line("went wrong", ["b": "two words", "a": "1", "c": ""]).text
                == "2026-03-01T09:30:00.250Z error landfall: went wrong a=1 b=\"two words\" c=\"\"\n")
    }

    @Test("a JSON line is one object with flat metadata")
    func json() {
        #expect(
            line("say \"hi\"", ["a": ["b": ["c": "1"]], "list": ["x", "y"]]).json
                == #"{"ts":"2026-03-01T09:30:00.250Z","level":"error","label":"landfall","message":"say \"hi\"","#
                + #""metadata":{"a.b.c":"1","list":"[\"x\", \"y\"]"}}"# + "\n")
    }

    @Test("nothing in message or metadata starts a line of its own", arguments: [false, true])
    func injection(isJSON: Bool) throws {
        let evil = "x\n2026-01-01 forged\r\u{2028}\u{0}\u{1B}[2J\u{85}\\\""
        let lines = Lines()
        logger(lines, isJSON: isJSON).critical(
            "\(evil)", metadata: ["\(evil)": "\(evil)", "n": ["k": "\(evil)"]])
        let line = try #require(lines.all.first)
        #expect(line.hasSuffix("\n"))
        let body = line.dropLast().unicodeScalars
        let isSafe = body.allSatisfy {
            $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x2028
        }
        #expect(isSafe)
        guard isJSON else { return }
        let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["message"] as? String == evil)
        #expect((object["metadata"] as? [String: String])?["n.k"] == evil)
    }

    @Test("metadata of the call overrides the logger's, and levels below the logger's are not written")
    func handler() {
        let lines = Lines()
        var logger = logger(lines, isJSON: false)
        logger.logLevel = .warning
        logger[metadataKey: "request_id"] = "outer"
        logger.notice("quiet")
        logger.warning("loud", metadata: ["request_id": "inner"])
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.hasSuffix("warning landfall: loud request_id=inner\n") == true)
    }

    @Test(
        "the access log writes what its setting says, whatever the log level",
        arguments: [(LogSettings.Access.off, []), (.errors, ["500"]), (.on, ["200", "404", "500"])])
    func access(choice: LogSettings.Access, statuses: [String]) {
        let lines = Lines()
        var logger = logger(lines, isJSON: false)
        logger.logLevel = .critical
        let log = AccessLog(choice, errors: ErrorLines(), logger: logger)
        for status in [200, 404, 500] {
            log.note(
                AccessLog.Entry(
                    route: "/v1/events", method: "POST", status: status, elapsed: .microseconds(1_500),
                    bytesIn: 10, bytesOut: nil, keyID: 7, requestID: "r"))
        }
        #expect(lines.all.compactMap { $0.firstMatch(of: /status=(\d+)/).map { String($0.1) } } == statuses)
        let complete =
            "request bytes_in=10 key_id=7 method=POST milliseconds=1.5 request_id=r route=/v1/events status="
        #expect(lines.all.allSatisfy { $0.contains(complete) })
    }

    @Test("a flood of errors writes a limited number of lines per second, and one that says so")
    func flood() {
        let lines = Lines()
        let logger = logger(lines, isJSON: false)
        let errors = ErrorLines()
        let start = ContinuousClock.now
        for _ in 0..<3 * ErrorLines.perSecond { errors.write("wrong", [:], to: logger, now: start) }
        #expect(lines.all.count == ErrorLines.perSecond + 1)
        #expect(lines.all.dropLast().allSatisfy { $0.hasSuffix("error landfall: wrong\n") })
        #expect(lines.all.last?.contains("but not logged") == true)
        errors.write("wrong", [:], to: logger, now: start + .milliseconds(999))
        #expect(lines.all.count == ErrorLines.perSecond + 1)
        errors.write("again", [:], to: logger, now: start + .seconds(1))
        #expect(lines.all.last?.hasSuffix("error landfall: again\n") == true)
    }

    @Test(
        "with the access log on, every request is logged, even in a flood",
        arguments: [LogSettings.Access.on, .errors])
    func everyRequest(choice: LogSettings.Access) {
        let lines = Lines()
        let log = AccessLog(choice, errors: ErrorLines(), logger: logger(lines, isJSON: false))
        for _ in 0..<2 * ErrorLines.perSecond {
            log.note(
                AccessLog.Entry(
                    route: "/v1/events", method: "POST", status: 503, elapsed: .zero, bytesIn: nil,
                    bytesOut: nil, keyID: nil, requestID: "r"))
        }
        let all = 2 * ErrorLines.perSecond
        #expect(choice == .on ? lines.all.count == all : lines.all.count < all)
    }

    @Test("a proposed request id is accepted if it is visible ASCII of at most 128 characters")
    func requestIDs() {
        let longest = String(repeating: "a", count: 128)
        for sane in ["abc-123", "!~", longest] { #expect(RequestID(sane).text == sane) }
        for odd in ["", "a b", "a\nb", "ä", longest + "a", "a\u{7F}"] {
            #expect(RequestID(odd).text != odd)
        }
        #expect(RequestID(nil) != RequestID(nil))
    }
}
