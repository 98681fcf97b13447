internal import Hummingbird
internal import NIOCore

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
