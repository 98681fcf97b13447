internal import DeliveryModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Rendering
internal import Reports

/// A report as it was requested: with its format, and everything that the command line says besides.
struct RequestedReport: Sendable {
    let report: any RenderableReport
    /// Its sheet, which is made once for all that is shown of it; the report itself if it has none.
    let shown: any RenderableReport
    let format: ReportFormat
    /// The look of a table.
    let style: OutputStyle
    /// About filters with unknown values, and about an empty report.
    let notes: [String]

    /// - Parameter notes: about the question.
    init(
        _ report: some RenderableReport, _ shape: ReportShape, limit: OutputStyle.RowLimit? = nil,
        notes: [String] = []
    ) {
        self.report = report
        if let report = report as? any Sheeted { shown = report.sheet } else { shown = report }
        format = shape.format
        var style = shape.style
        style.rowLimit = limit
        self.style = style
        let emptiness = report.emptiness
        self.notes =
            notes
            + [report.remark(on: shape.format), emptiness.map { $0.sentence + "." }, emptiness?.hint]
            .compactMap(\.self)
    }
}

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

    /// The report of a closed window may be reused for an hour. Any other is requested each time, and the
    /// server responds with 304 if no number changed. Only the caller may store it, only for the same key.
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
