internal import Hummingbird
internal import NIOCore

/// Handles `Expect: 100-continue`: the client is told to send its body when a handler wants to read it, so
/// that no client sends a body that is discarded.
struct ExpectMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.expect]?.lowercased() == "100-continue" else {
            return try await next(request, context)
        }
        var request = request
        request.body = RequestBody(
            asyncSequence: BodyOnDemand(body: request.body, channel: context.channel))
        return try await next(request, context)
    }
}

/// A body that the client sends only when asked (`Expect: 100-continue`). Asks when its first part is read.
struct BodyOnDemand: AsyncSequence, Sendable {
    /// The event that makes `RequestBounds` send `100 Continue`.
    struct Wanted: Sendable {}

    let body: RequestBody
    let channel: any Channel

    func makeAsyncIterator() -> Iterator {
        Iterator(parts: body.makeAsyncIterator(), channel: channel)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var parts: RequestBody.AsyncIterator
        fileprivate var channel: (any Channel)?

        mutating func next() async throws -> ByteBuffer? {
            if let channel {
                self.channel = nil
                try await channel.triggerUserOutboundEvent(Wanted()).get()
            }
            return try await parts.next()
        }
    }
}
