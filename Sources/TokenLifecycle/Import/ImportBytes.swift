/// A file that arrives in pieces, read byte by byte with the current line number. A byte order mark is skipped.
struct ImportBytes {
    /// The most bytes in a row of a table of tokens; a longer one lacks a quote or a line break.
    static let longestRecord = 64 * 1_024

    private let read: () throws -> [UInt8]
    private var piece: [UInt8] = []
    private var position = 0
    private(set) var line = 1

    /// - Parameter read: returns the next bytes; empty at the end.
    init(_ read: @escaping () throws -> [UInt8]) throws {
        self.read = read
        while piece.count < 3 {
            let more = try read()
            if more.isEmpty { break }
            piece += more
        }
        if piece.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Returns `nil` at the end.
    mutating func peek() throws -> UInt8? {
        if position == piece.count {
            piece = try read()
            position = 0
        }
        return position < piece.count ? piece[position] : nil
    }

    mutating func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    /// The rest of the line, as far as it has been read from the file.
    func restOfLine() -> ArraySlice<UInt8> {
        piece[position...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    }

    /// Skips blanks and line breaks; returns the byte after them.
    mutating func skipWhiteSpace() throws -> UInt8? {
        while let byte = try peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { _ = try next() }
        return try peek()
    }
}
