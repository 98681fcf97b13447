internal import Basics

/// CSV (RFC 4180) with the names of fields of `POST /v1/events` in the first line. The separator is the one
/// that the first line has: comma, semicolon or tab. An empty cell is an absent field.
struct CSVLines: Sendable {
    private var header: [String]?
    private var separator = UInt8(ascii: ",")
    /// The lines of a record whose quoted field is not closed yet.
    private var open: [UInt8] = []

    /// Fields that are numbers in JSON. Others are strings, also if they look like numbers.
    private static let numbers: Set = [
        "sent_at", "timestamp", "occurred_at", "reported_at", "expires_at", "status", "dropped",
    ]

    /// No record of events is longer: a quotation mark that is never closed would swallow the file.
    private static let longest = 64 << 10

    mutating func read(_ line: [UInt8]) -> [PresetItem] {
        let line = line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : line
        guard header != nil else { return readHeader(line) }
        open += (open.isEmpty ? [] : [UInt8(ascii: "\n")]) + line
        guard open.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) || open.count > Self.longest
        else { return [] }
        defer { open = [] }
        return open.isEmpty ? [] : [record(open)]
    }

    mutating func finish() -> [PresetItem] {
        defer { open = [] }
        return open.isEmpty ? [] : [record(open)]
    }

    private mutating func readHeader(_ line: [UInt8]) -> [PresetItem] {
        guard line.contains(where: { ![0x20, 0x09].contains($0) }) else { return [] }
        separator =
            [",", ";", "\t"].map { UInt8(ascii: $0) }
            .max { a, b in line.count { $0 == a } < line.count { $0 == b } } ?? separator
        let names = cells(line) ?? []
        let header = names.map { ($0.trimmed ?? "").lowercased() }
        self.header = header
        return header.contains("type") ? [] : [record(line)]
    }

    private func record(_ bytes: [UInt8]) -> PresetItem {
        guard let header, header.contains("type") else {
            return unread(
                "the first line must name the fields, such as type,notification_id,sent_at, in UTF-8", bytes)
        }
        guard let cells = cells(bytes) else {
            return unread(
                "the line is not CSV in UTF-8: a quotation mark is not closed, or not doubled", bytes)
        }
        guard cells.count == header.count else {
            return unread("the line has \(cells.count) cells, and the first line has \(header.count)", bytes)
        }
        var members: [JSONValue.Member] = []
        for (name, cell) in zip(header, cells) where !name.isEmpty {
            guard let text = cell.trimmed else { continue }
            if Self.numbers.contains(name), let number = Int64(text) {
                members.append(.init(name, .integer(number)))
            } else {
                members.append(.init(name, .string(text)))
            }
        }
        return .event(Array(JSONValue.object(members).lineText.utf8))
    }

    private func unread(_ detail: String, _ bytes: [UInt8]) -> PresetItem {
        .unread(code: "unread_post", detail: detail, posted: bytes)
    }

    /// The cells of a record; `nil` if it is not CSV in UTF-8.
    private func cells(_ bytes: [UInt8]) -> [String]? {
        var cells: [[UInt8]] = [[]]
        var isQuoted = false
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") {
                if isQuoted, position < bytes.endIndex, bytes[position] == byte {
                    cells[cells.count - 1].append(byte)
                    position += 1
                } else {
                    isQuoted.toggle()
                }
            } else if byte == separator, !isQuoted {
                cells.append([])
            } else {
                cells[cells.count - 1].append(byte)
            }
        }
        guard !isQuoted else { return nil }
        let texts = cells.compactMap { String(validating: $0, as: UTF8.self) }
        return texts.count == cells.count ? texts : nil
    }
}
