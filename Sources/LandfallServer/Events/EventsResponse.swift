internal import DeliveryModel
internal import Foundation
internal import HTTPTypes
internal import Ingestion
internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

/// The response of `POST /v1/events`: received = accepted + duplicates + rejected.
struct EventsResponse {
    /// The reason an item was rejected, or a warning for its sender.
    struct ItemNote {
        let index: Int
        let code: String
        let detail: String
    }

    var accepted = 0
    var duplicates = 0
    var rejected = 0
    var errors: [ItemNote] = []
    /// Only the first few, and the first of each further code: the others mostly have the same cause.
    var warnings: [ItemNote] = []

    private static let mostWarnings = 10

    init(_ verdicts: [Verdict]) {
        for (index, verdict) in verdicts.enumerated() {
            if !verdict.warnings.isEmpty { warn(verdict.warnings, index) }
            switch verdict.outcome {
            case .accepted: accepted += 1
            case .duplicate: duplicates += 1
            // The request is rejected as a whole.
            case .overQuota: break
            case .rejected(let rejection):
                rejected += 1
                errors.append(ItemNote(index: index, code: rejection.code.rawValue, detail: rejection.detail))
            }
        }
    }

    private mutating func warn(_ found: ItemWarnings, _ index: Int) {
        for (code, detail) in found.notes
        where warnings.count < Self.mostWarnings || !warnings.contains(where: { $0.code == code }) {
            warnings.append(ItemNote(index: index, code: code, detail: detail))
        }
    }

    static let contentType = "application/json"

    /// Written by hand: an encoder took longer than all else that the server does for one event.
    func document() -> ByteBuffer {
        var json = JSONBytes(capacity: 64 + 160 * (errors.count + warnings.count))
        json.raw("{")
        json.member("accepted", Int64(accepted))
        json.member("duplicates", Int64(duplicates))
        json.member("errors", notes: errors)
        json.member("rejected", Int64(rejected))
        if !warnings.isEmpty { json.member("warnings", notes: warnings) }
        json.raw("}")
        return ByteBuffer(bytes: json.bytes)
    }
}

extension JSONBytes {
    fileprivate mutating func member(_ name: StaticString, notes: [EventsResponse.ItemNote]) {
        member(name, document: "[".utf8)
        for (position, note) in notes.enumerated() {
            raw(position == 0 ? "{" : ",{")
            member("code", note.code)
            member("detail", note.detail)
            member("index", Int64(note.index))
            raw("}")
        }
        raw("]")
    }
}

// MARK: A response head in its wire format

extension ByteBuffer {
    mutating func begin(
        with result: Result<EventsResponse, any Error>, _ problem: (any Error) -> Problem
    ) -> (HTTPResponse.Status, body: ByteBuffer) {
        do {
            let document = try result.get().document()
            write(status: .ok)
            write("Content-Type", EventsResponse.contentType)
            write("Content-Length", String(document.readableBytes))
            return (.ok, document)
        } catch {
            let (head, document) = problem(error).response
            write(status: head.status)
            for field in head.headerFields { write(field.name.rawName, field.value) }
            return (head.status, document)
        }
    }

    private mutating func write(status: HTTPResponse.Status) {
        // With the reason phrases of the encoder, which writes the router's responses.
        let status = HTTPResponseStatus(statusCode: status.code, reasonPhrase: status.reasonPhrase)
        writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
    }

    mutating func write(_ name: String, _ value: String) {
        writeString(name)
        writeStaticString(": ")
        writeString(value)
        writeStaticString("\r\n")
    }
}

/// The `Date` of responses (RFC 9110, section 5.6.7), formatted once a second.
enum HTTPDate {
    private static let latest = Mutex((second: 0, text: ""))

    static var now: String {
        let second = time(nil)
        return latest.withLock { latest in
            if latest.second != second { latest = (second, text(second)) }
            return latest.text
        }
    }

    /// A text such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func text(_ second: time_t) -> String {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            let length = strftime(start, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            return String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }
}
