/// Cuts the bytes that Landfall sends into messages of PostgreSQL's protocol (manual, chapter 55).
struct RequestScanner {
    struct Message {
        let bytes: [UInt8]
        /// `P` is Parse, `S` Sync; `nil` for a message that opens a session.
        let kind: UInt8?

        /// The name that a Parse gives to its statement; empty for none, `nil` for other messages.
        var statementName: [UInt8]? { kind == UInt8(ascii: "P") ? words.first.map(Array.init) : nil }

        /// The text of a Parse or a Query.
        var text: String {
            switch kind {
            case UInt8(ascii: "P"): String(decoding: words.dropFirst().first ?? [], as: UTF8.self)
            case UInt8(ascii: "Q"): String(decoding: words.first ?? [], as: UTF8.self)
            default: ""
            }
        }

        /// Whether it changes session state that outlives the transaction.
        var keepsSetting: Bool {
            let lines = text.split(separator: "\n").drop { $0.hasPrefix("--") }
            guard let first = lines.first, first.hasPrefix("SET ") else { return false }
            return !first.hasPrefix("SET LOCAL") && !first.hasPrefix("SET TRANSACTION")
        }

        private var words: [ArraySlice<UInt8>] {
            bytes.dropFirst(5).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        }
    }

    private var buffer: [UInt8] = []
    private var hasBegun = false

    /// Returns the messages that these bytes complete.
    mutating func messages(adding bytes: [UInt8]) -> [Message] {
        buffer += bytes
        var messages: [Message] = []
        var start = 0
        while let length = messageLength(at: start), start + length <= buffer.count {
            let bytes = Array(buffer[start..<start + length])
            messages.append(Message(bytes: bytes, kind: hasBegun ? bytes[0] : nil))
            hasBegun = true
            start += length
        }
        buffer.removeFirst(start)
        return messages
    }

    /// The first message has no kind before its length.
    private func messageLength(at start: Int) -> Int? {
        let lengthStart = hasBegun ? start + 1 : start
        guard buffer.count >= lengthStart + 4 else { return nil }
        let length = buffer[lengthStart..<lengthStart + 4].reduce(0) { $0 << 8 | Int($1) }
        return length + (hasBegun ? 1 : 0)
    }
}
