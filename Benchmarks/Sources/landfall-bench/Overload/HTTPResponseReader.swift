/// Reads one HTTP response after the other from the pieces that a connection delivers. It reads only what `landfall-server`
/// writes: a response without `Content-Length` is unreadable.
struct HTTPResponseReader {
    struct Unreadable: Error {}

    private var bytes: [UInt8] = []
    private var head: (end: Int, bodyLength: Int, status: Int, closes: Bool)?

    mutating func append(_ piece: some Collection<UInt8>) {
        bytes.append(contentsOf: piece)
    }

    /// The next response; `nil` until it is complete.
    mutating func next() throws(Unreadable) -> HTTPResponse? {
        if head == nil { head = try readHead() }
        guard let head, bytes.count >= head.end + head.bodyLength else { return nil }
        let body = bytes[head.end..<head.end + head.bodyLength]
        let response = HTTPResponse(
            status: head.status, accepted: Self.number(behind: #""accepted":"#, in: body) ?? 0,
            closes: head.closes)
        bytes.removeFirst(head.end + head.bodyLength)
        self.head = nil
        return response
    }

    private func readHead() throws(Unreadable) -> (end: Int, bodyLength: Int, status: Int, closes: Bool)? {
        guard let blank = bytes.position(of: "\r\n\r\n") else { return nil }
        let text = String(decoding: bytes[..<blank], as: UTF8.self).lowercased()
        let lines = text.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        let length = lines.first { $0.hasPrefix("content-length:") }.flatMap { line in
            Int(line.dropFirst("content-length:".count).drop { $0 == " " })
        }
        guard words.count > 1, words[0] == "http/1.1", let status = Int(words[1]), let length else {
            throw Unreadable()
        }
        return (blank + 4, length, status, lines.contains("connection: close"))
    }

    private static func number(behind name: String, in body: ArraySlice<UInt8>) -> Int? {
        guard let start = body.position(of: name) else { return nil }
        let digits = body[(start + name.utf8.count)...].prefix { (0x30...0x39).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}

extension Collection<UInt8> where Index == Int {
    /// The first position of a text at or after the given one; `nil` if the text is not there.
    func position(of text: String, from place: Int? = nil) -> Int? {
        let sought = Array(text.utf8)
        var position = place ?? startIndex
        while position + sought.count <= endIndex {
            if self[position] == sought[0], self[position..<position + sought.count].elementsEqual(sought) {
                return position
            }
            position += 1
        }
        return nil
    }
}
