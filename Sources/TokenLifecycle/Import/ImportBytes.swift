/// A file that arrives in pieces, read byte by byte with the line number. A byte order mark is skipped.
struct ImportBytes {
    /// The most bytes in a row of a table of tokens; a longer one lacks a quote or a line break.
    static let longestRecord = 64 * 1_024
    /// The bytes at the beginning of a file by which its format is recognized.
    private static let prefixLength = 512

    private let read: () throws -> [UInt8]
    private var piece: [UInt8] = []
    private var position = 0
    /// Counted as editors count: CR, LF and CR LF end a line.
    private(set) var line = 1
    private var follows: UInt8 = 0

    /// - Parameter read: returns the next bytes; empty at the end.
    /// - Throws: ``TokenImportError/foreign(_:)`` for a file that is not UTF-8 text, and what reading throws.
    init(_ read: @escaping () throws -> [UInt8]) throws {
        self.read = read
        while piece.count < Self.prefixLength {
            let more = try read()
            if more.isEmpty { break }
            piece += more
        }
        if let format = ForeignFormat(of: piece.prefix(Self.prefixLength)) {
            throw TokenImportError.foreign(format)
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
        if byte == .carriageReturn || (byte == .lineFeed && follows != .carriageReturn) { line += 1 }
        follows = byte
        return byte
    }

    /// The rest of the line, as far as it has been read from the file.
    func restOfLine() -> ArraySlice<UInt8> {
        piece[position...].prefix { !$0.isLineBreak }
    }

    /// Skips blanks and line breaks; returns the byte after them.
    mutating func skipWhiteSpace() throws -> UInt8? {
        while let byte = try peek(), [0x20, 0x09, .lineFeed, .carriageReturn].contains(byte) {
            _ = try next()
        }
        return try peek()
    }

    /// Skips the rest of the line and its end.
    mutating func skipLine() throws {
        let number = line
        while line == number, try next() != nil {}
        if follows == .carriageReturn, try peek() == .lineFeed { _ = try next() }
    }
}

extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")

    var isLineBreak: Bool { self == .carriageReturn || self == .lineFeed }
}
