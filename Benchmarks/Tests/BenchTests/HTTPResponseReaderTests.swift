import Testing

@testable import landfall_bench

@Suite("The reader of HTTP responses")
struct HTTPResponseReaderTests {
    private var ok: String {
        let body = #"{"accepted":97,"duplicates":0,"errors":[],"rejected":0}"#
        return
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            + body
    }

    @Test("finds a response that arrives byte by byte")
    func inPieces() throws {
        var reader = HTTPResponseReader()
        for byte in ok.utf8.dropLast() {
            reader.append([byte])
            #expect(try reader.next() == nil)
        }
        reader.append(ok.utf8.suffix(1))
        #expect(try reader.next() == HTTPResponse(status: 200, accepted: 97, closes: false))
        #expect(try reader.next() == nil)
    }

    @Test("keeps what follows a response for the next one")
    func severalAtOnce() throws {
        var reader = HTTPResponseReader()
        let busy = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\nConnection: close\r\n\r\n{}"
        reader.append(Array((ok + busy).utf8))
        #expect(try reader.next()?.status == 200)
        #expect(try reader.next() == HTTPResponse(status: 503, accepted: 0, closes: true))
    }

    @Test(
        "rejects what it cannot delimit",
        arguments: ["HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", "SSH-2.0-x\r\n\r\n", "\r\n\r\n"])
    func unreadable(text: String) {
        var reader = HTTPResponseReader()
        reader.append(Array(text.utf8))
        #expect(throws: HTTPResponseReader.Unreadable.self) { try reader.next() }
    }
}
