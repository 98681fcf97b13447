internal import Access
internal import Hummingbird

/// `POST /v1/events`, for posts that do not qualify for the `EventLane`.
struct EventsController {
    let intake: EventIntake

    func addRoutes(to group: RouterGroup<LandfallRequestContext>) {
        group.post("events", use: record)
    }

    @Sendable
    private func record(_ request: Request, context: LandfallRequestContext) async throws -> Response {
        let began = ContinuousClock.now
        let credential = try context.requireCredential(.server, .device)
        try intake.checkRoom(for: credential.flow)
        var share = intake.budget.share(for: credential.flow)
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
