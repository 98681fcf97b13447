internal import Access
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Rendering
internal import Reports

/// A report in its wire format.
struct WrittenReport: Sendable {
    private let text: String
    private let format: ReportFormat
    private let notes: [String]
    private let tag: ReportTag

    /// - Parameter tag: of the report's document, whatever the format is.
    init(_ requested: RequestedReport, _ tag: ReportTag) {
        format = requested.format
        text = requested.shown.text(as: format, requested.style)
        notes = requested.notes
        self.tag = tag
    }

    /// The report of a closed window may be reused for an hour. Any other is requested each time, and the server responds with
    /// 304 if no number has changed. Only the caller may store it, and only for the same key.
    func response(for app: App, isClosed: Bool, ifNoneMatch: [String]) -> Response {
        var headers: HTTPFields = [
            .eTag: tag.text, .vary: "Authorization",
            .cacheControl: isClosed ? "private, max-age=3600" : "private, no-cache",
        ]
        if let name = HTTPField.Name("Landfall-App") { headers[name] = app.slug }
        guard !tag.matches(ifNoneMatch) else { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = format.contentType
        if let name = HTTPField.Name("Landfall-Notes"), !notes.isEmpty {
            headers[name] = notes.map(Self.encoded).joined(separator: ", ")
        }
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Percent-encoded, because a header field has only ASCII, and because notes contain commas.
    private static func encoded(_ note: String) -> String {
        note.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.ascii)) ?? ""
    }
}

extension CharacterSet {
    fileprivate static let ascii = CharacterSet(charactersIn: "\u{21}"..."\u{7E}")
}

extension ReportFormat {
    fileprivate var contentType: String {
        switch self {
        case .json: "application/json"
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8"
        case .html: "text/html; charset=utf-8"
        case .table: "text/plain; charset=utf-8"
        }
    }
}
