internal import Access
internal import DeliveryModel
internal import HTTPTypes
internal import Hummingbird
internal import Ingestion

/// `POST /v1/events`, for posts that do not qualify for the `EventLane`.
struct EventsController {
    let intake: EventIntake

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) { group.post("events", use: record) }

    @Sendable
    private func record(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let began = ContinuousClock.now
        let credential = try context.requireCredential(.server, .device)
        try intake.checkRoom(for: credential)
        var share = intake.budget.share(for: credential.flow, in: credential.app.cell)
        let post = try intake.read(
            try await request.bytes(upTo: intake.limits.bodyBytes(with: credential.kind), &share),
            contentType: request.headers[.contentType], began: began, credential: credential,
            ticket: context.ticket)
        let response = try await withCheckedThrowingContinuation { continuation in
            intake.record(post) { continuation.resume(with: $0) }
        }
        return Response(
            status: .ok, headers: [.contentType: EventsResponse.contentType],
            body: ResponseBody(byteBuffer: response.document()))
    }
}

extension Problem {
    /// A body that as a whole is not events.
    init(_ error: EventBodyError, in bytes: [UInt8], mostItems: Int) {
        let forms = "post one JSON object, an array of them, or one per line (NDJSON)"
        self =
            switch error {
            case .tooMany:
                Problem(
                    .contentTooLarge, "too_many_items",
                    "one request may contain at most \(mostItems) items with this key")
            case .empty: Problem(.badRequest, "invalid_json", "the body is empty: \(forms)")
            case .notJSON, .unfinished:
                Problem(
                    .badRequest, "invalid_json", "the body is not JSON: \(Self.encoding(of: bytes) ?? forms)")
            }
    }

    private static func encoding(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x1F, 0x8B]) { return "it is gzip, so send Content-Encoding: gzip" }
        let isWide =
            bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
            || bytes.prefix(2).contains(0)
        return isWide ? "it is UTF-16 or UTF-32, so send UTF-8" : nil
    }
}
