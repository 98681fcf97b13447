internal import Basics
internal import Presets

/// One item to post, in the form of `POST /v1/events`.
struct PostedItem: Sendable {
    let text: [UInt8]
    /// The number of its line.
    let line: Int
    /// Why the line could not be translated; `nil` if it was.
    var unread: (code: String, detail: String)?
}

/// Translates lines, posts what they say, and counts the verdicts.
///
/// A line that cannot be translated is posted, too, as an item of type `unread_line`, which the server keeps
/// in quarantine under `unread_post`: sealed, because it may contain a token.
struct LinePoster {
    /// Posts items, and returns once they are recorded.
    typealias Send = (_ items: [[UInt8]]) async throws -> ItemVerdicts

    /// Items of one request.
    static let mostItems = 1_000

    private let format: LineFormat
    private let send: Send
    private var translator: LineTranslator
    private(set) var counts = PostedCounts()
    private var lastLine = 0
    /// The rejections to be reported: the first with each code.
    private var news: [PostedCounts.Rejection] = []

    init(_ format: LineFormat, send: @escaping Send) {
        (self.format, self.send) = (format, send)
        translator = LineTranslator(format)
    }

    /// Begins with another file.
    ///
    /// - Parameter header: its first line, if that was posted before.
    mutating func begin(after header: LogLine?) {
        translator = LineTranslator(format)
        if let header { _ = translator.read(line: header.text, number: header.number) }
    }

    /// Posts the lines. If it throws, some of them may be recorded; repeated, they count as duplicates.
    mutating func post(_ lines: [LogLine]) async throws {
        try await post(lines.flatMap { translated($0) })
        counts.lines += Int64(lines.count { !$0.isBlank })
        lastLine = lines.last?.number ?? lastLine
    }

    /// Posts what the last line has begun, at the end of a file.
    mutating func finish() async throws {
        let end = LogLine(text: [], number: lastLine)
        try await post(translator.finish().map { item($0, in: end) })
    }

    /// Whether the last line ends a record. A field of a CSV may have line breaks.
    var isBetweenRecords: Bool {
        var trial = translator
        return trial.finish().isEmpty
    }

    private mutating func post(_ items: [PostedItem]) async throws {
        for start in stride(from: 0, to: items.count, by: Self.mostItems) {
            let part = Array(items[start..<min(start + Self.mostItems, items.count)])
            news += counts.add(try await send(part.map(\.text)), on: part)
        }
    }

    /// Whether a line without a line break is a whole one.
    func isWhole(_ line: LogLine) -> Bool { !line.isCut && format.isWhole(line.text) }

    mutating func takeNews() -> [PostedCounts.Rejection] {
        defer { news = [] }
        return news
    }

    private mutating func translated(_ line: LogLine) -> [PostedItem] {
        guard !line.isCut else {
            let most = LineCutter.mostLineBytes >> 20
            return [unread(line, "too_long", "the line is longer than \(most) MiB", line.text)]
        }
        return translator.read(line: line.text, number: line.number).map { item($0, in: line) }
    }

    private func item(_ item: PresetItem, in line: LogLine) -> PostedItem {
        switch item {
        case .event(let text) where Self.isLine(text): PostedItem(text: text, line: line.number)
        case .event(let text): unread(line, "invalid_json", "the line is not a JSON object", text)
        case .unread(let code, let detail, let posted): unread(line, code, detail, posted)
        }
    }

    /// Whether it stays one item among lines.
    private static func isLine(_ text: [UInt8]) -> Bool {
        text.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "{") && !text.contains(0x0A)
    }

    private func unread(_ line: LogLine, _ code: String, _ detail: String, _ text: [UInt8]) -> PostedItem {
        let item: JSONValue = [
            "type": "unread_line", "form": .string(format.rawValue), "line": .integer(Int64(line.number)),
            "code": .string(code), "detail": .string(detail),
            "text": .string(String(decoding: text.prefix(Self.mostUnreadBytes), as: UTF8.self)),
        ]
        return PostedItem(text: Array(item.lineText.utf8), line: line.number, unread: (code, detail))
    }

    /// The quarantine keeps only the beginning of an item that is longer than 64 KiB.
    private static let mostUnreadBytes = 60 << 10
}
