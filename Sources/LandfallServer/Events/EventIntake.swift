internal import Access
internal import DeliveryModel
internal import Foundation
internal import Ingestion
internal import Trust

/// Handles the bodies of `POST /v1/events`, through the router (`EventsController`) or past it (`EventLane`).
struct EventIntake: Sendable {
    static let path = "/v1/events"

    struct Post: Sendable {
        let cell: Cell
        let items: [BatchItem]
        let isSingleObject: Bool
        /// `nil` for a server's.
        let ticket: Ticket?
    }

    let limits: ServerConfiguration.Limits
    let callers: CallerLimits
    let budget: IntakeBudget
    let cells: Cells
    private let retention: Span
    private let traffic: UnprovenTraffic
    /// Counts a request that got 503.
    private let rejectedForOverload: @Sendable () -> Void
    /// `nil` if no console shows it.
    private let tail: EventTail?

    init(_ configuration: ServerConfiguration, backend: Backend) {
        limits = configuration.limits
        rejectedForOverload = backend.front.metrics.ingestion.rejectedForOverload
        traffic = backend.traffic
        callers = CallerLimits(limits, traffic, backend.metrics.rateLimits)
        cells = backend.cells
        budget = IntakeBudget(
            bytes: limits.queued.bytes, isDivided: !cells.others.isEmpty, rejected: rejectedForOverload)
        retention = configuration.retention
        tail = backend.tail
    }

    /// Throws 503 while too much of the flow waits, or the app is being moved. Called before a body is read:
    /// most requests of an overload must cost nothing.
    func checkRoom(for credential: Credential) throws(Problem) {
        let (flow, cell) = (credential.flow, try cells[credential.app.cell])
        if budget.isSpent(for: flow, in: cell.number) || cell.batcher.isFull(for: flow) { throw overloaded() }
        if let error = cell.batcher.movingError(of: flow.appID) { throw Problem(error) }
    }

    func overloaded() -> Problem {
        rejectedForOverload()
        return .overloaded
    }

    /// The post has to be recorded: that ends what begins here, and settles a device's ticket. `began`: when
    /// the request began. Its device had read its clock by then.
    ///
    /// - Throws: 400 or 413 if the body as a whole is not JSON, or has too many items; 429 if too much of the
    ///   address waits; 503 if the queue filled up while the body arrived: hundreds of bodies may arrive
    ///   while there is room for one, and decoding them would take the time that recording needs.
    func read(
        _ bytes: [UInt8], contentType: String?, began: ContinuousClock.Instant, credential: Credential,
        ticket: Ticket?
    ) throws(Problem) -> Post {
        let (flow, cell) = (credential.flow, try cells[credential.app.cell])
        if cell.batcher.isFull(for: flow) { throw overloaded() }
        let body: EventBody
        let mostItems = limits.items(with: credential.kind)
        do {
            body = try EventBody(bytes, isNDJSON: isNDJSON(contentType), limit: mostItems)
        } catch {
            throw Problem(error, in: bytes, mostItems: mostItems)
        }
        try ticket?.expect(body.items.count)
        let now = cell.clock.now
        let validator = validator(for: credential, in: cell, now: now, began: began)
        var items = body.items.map {
            BatchItem(appID: flow.appID, text: $0, poster: flow.poster, content: validator.decode($0))
        }
        if let ticket, try !ticket.expect(items.count, device: items.device, at: now) {
            for index in items.indices { items[index].needsConfirmation = true }
        }
        return Post(cell: cell, items: items, isSingleObject: body.isSingleObject, ticket: ticket)
    }

    /// The rules for what is posted with the key.
    func validator(
        for credential: Credential, in cell: Cell, now: Instant, began: ContinuousClock.Instant
    ) -> EventValidator {
        EventValidator(
            appID: credential.flow.appID, poster: credential.flow.poster, now: now,
            uploadedFrom: now - Span(milliseconds: Int64(began.duration(to: .now) / .milliseconds(1))),
            retention: retention, additionalProviders: credential.app.additionalProviders,
            trust: credential.trust, taxonomy: cell.taxonomy)
    }

    /// Passes on the response after the commit: the number of items by verdict, and the rejected ones by
    /// index; 429 if any is beyond the quota of its app. The completion is called once, on any thread.
    func record(
        _ post: Post, then completion: @escaping @Sendable (Result<EventsResponse, any Error>) -> Void
    ) {
        let cell = post.cell
        cell.metrics.ingestion.counting(post.items, cell.batcher.record) { result in
            let verdicts = try? result.get()
            if let ticket = post.ticket {
                ticket.settle(verdicts.map { Charge(of: post.items, $0) } ?? .none)
            } else if let verdicts, let appID = post.items.first?.appID {
                let late = verdicts.indices.reduce(0) { $0 + verdicts[$1].confirmedEvents }
                traffic.confirmLate(late, of: appID, in: cell.number)
            }
            if let verdicts { tail?.add(post.items, verdicts, at: cell.clock.now) }
            completion(result.flatMap { verdicts in Result { try response(verdicts, to: post) } })
        }
    }

    private func response(_ verdicts: [Verdict], to post: Post) throws(Problem) -> EventsResponse {
        guard verdicts.allSatisfy({ $0.outcome != .overQuota }) else { throw .unconfirmedEvents() }
        if post.isSingleObject, case .rejected(let rejection) = verdicts.first?.outcome {
            throw .unprocessable(rejection.code.rawValue, rejection.detail)
        }
        return EventsResponse(verdicts)
    }

    /// Matches types such as `application/x-ndjson; charset=utf-8`. The usual type is compared first, in a
    /// hundredth of the time.
    private func isNDJSON(_ contentType: String?) -> Bool {
        guard let contentType, contentType != "application/json" else { return false }
        return contentType.lowercased().contains("ndjson")
    }
}

extension [BatchItem] {
    /// The device that the first event names; events of one request come from one device.
    fileprivate var device: UUID? {
        guard let first, case .success(let event) = first.content, case .device(let report) = event.content
        else { return nil }
        return report.deviceID
    }
}

extension Credential {
    /// The flow of what is posted with the key.
    var flow: Flow { Flow(appID: app.appID, poster: [.server, .hook].contains(kind) ? .server : .device) }
}
