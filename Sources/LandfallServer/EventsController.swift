internal import Access
internal import DeliveryModel
internal import Hummingbird
internal import Ingestion

/// `POST /v1/events`.
struct EventsController {
    let batcher: EventBatcher
    let limits: ServerConfiguration.Limits
    let retention: Span
    let metrics: IngestionMetrics

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        group.post("events", use: record)
    }

    /// Answers after the commit, with one verdict per item counted, and the rejected ones named.
    @Sendable
    private func record(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server, .device)
        try GzipRequests.check(request.headers)
        let body = try await eventBody(of: request)
        let validator = EventValidator(
            poster: credential.kind == .server ? .server : .device, now: .now, retention: retention)
        let decoder = EventDecoder(validator)
        let items = body.items.map {
            BatchItem(appID: credential.app.appID, text: $0, content: decoder.decode($0))
        }
        let verdicts = try await metrics.counting(items) { items in
            try await batcher.record(items)
        }
        return try answer(verdicts, isSingleObject: body.isSingleObject)
    }

    private func eventBody(of request: Request) async throws -> EventBody {
        let buffer = try await request.body.collect(upTo: limits.bodyBytes)
        let isNDJSON = request.headers[.contentType]?.lowercased().contains("ndjson") ?? false
        do {
            return try EventBody(
                Array(buffer.readableBytesView), isNDJSON: isNDJSON, limit: limits.itemsPerRequest)
        } catch {
            throw problem(for: error)
        }
    }

    private func problem(for error: EventBodyError) -> Problem {
        let forms = "post one JSON object, an array of them, or one per line (NDJSON)"
        return switch error {
        case .tooMany:
            Problem(
                .contentTooLarge, "too_many_items",
                "one request may hold at most \(limits.itemsPerRequest) items")
        case .empty: Problem(.badRequest, "invalid_json", "the body is empty: \(forms)")
        case .notJSON, .unfinished: Problem(.badRequest, "invalid_json", "the body is not JSON: \(forms)")
        }
    }

    private func answer(_ verdicts: [Verdict], isSingleObject: Bool) throws -> Response {
        if isSingleObject, case .rejected(let rejection) = verdicts.first {
            throw Problem(.unprocessableContent, rejection.code.rawValue, rejection.detail)
        }
        return try .json(EventsAnswer(verdicts))
    }
}

/// The answer of `POST /v1/events`: received = accepted + duplicates + rejected.
struct EventsAnswer: Encodable {
    struct ItemError: Encodable {
        let index: Int
        let code: String
        let detail: String
    }

    var accepted = 0
    var duplicates = 0
    var rejected = 0
    var errors: [ItemError] = []

    init(_ verdicts: [Verdict]) {
        for (index, verdict) in verdicts.enumerated() {
            switch verdict {
            case .accepted: accepted += 1
            case .duplicate: duplicates += 1
            case .rejected(let rejection):
                rejected += 1
                errors.append(
                    ItemError(index: index, code: rejection.code.rawValue, detail: rejection.detail))
            }
        }
    }
}
