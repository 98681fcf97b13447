internal import Access
internal import DeliveryModel
internal import Hummingbird
internal import Ingestion

/// `POST /v1/events`.
struct EventsController {
    private let batcher: EventBatcher
    private let limits: ServerConfiguration.Limits
    private let retention: Span
    private let budget: IntakeBudget
    private let metrics: IngestionMetrics

    init(
        batcher: EventBatcher, limits: ServerConfiguration.Limits, retention: Span, metrics: IngestionMetrics
    ) {
        self.batcher = batcher
        self.limits = limits
        self.retention = retention
        self.metrics = metrics
        budget = IntakeBudget(bytes: limits.queued.bytes)
    }

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        group.post("events", use: record)
    }

    /// Answers after the commit, with one verdict per item counted, and the rejected ones named.
    @Sendable
    private func record(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let credential = try context.requireCredential(.server, .device)
        // Before anything is read: under overload most requests end here, and must cost next to nothing.
        guard !batcher.isFull, !budget.isSpent else {
            metrics.refusedForOverload()
            throw Problem.overloaded
        }
        var share = budget.share()
        let body = try await eventBody(of: request, &share)
        let poster: EventValidator.Poster = credential.kind == .server ? .server : .device
        let validator = EventValidator(poster: poster, now: .now, retention: retention)
        let decoder = EventDecoder(validator)
        let items = body.items.map {
            BatchItem(
                appID: credential.app.appID, text: $0, poster: poster, content: decoder.decode($0))
        }
        let verdicts = try await metrics.counting(items) { items in
            try await batcher.record(items)
        }
        return try answer(verdicts, isSingleObject: body.isSingleObject)
    }

    private func eventBody(
        of request: Request, _ share: inout IntakeBudget.Share
    ) async throws -> EventBody {
        var bytes: [UInt8] = []
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        bytes.reserveCapacity(min(length, limits.bodyBytes))
        for try await part in request.body {
            try share.take(part.readableBytes)
            bytes.append(contentsOf: part.readableBytesView)
        }
        let isNDJSON = request.headers[.contentType]?.lowercased().contains("ndjson") ?? false
        do {
            return try EventBody(bytes, isNDJSON: isNDJSON, limit: limits.itemsPerRequest)
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
        return try EventsAnswer(verdicts).response()
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

    /// Most answers name no error, and are three numbers: written without an encoder, which took longer than all else that
    /// this server does for one event.
    func response() throws -> Response {
        guard errors.isEmpty else { return try .json(self) }
        let text = #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"errors":[],"rejected":0}"#
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
