internal import Access
internal import HTTPTypes
internal import Hummingbird
internal import Instants
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// The streams of the pages that follow a tail.
final class TailStreams: Sendable {
    static let most = 50
    private static let pause = Duration.seconds(1)
    /// Then the browser asks again, and the session is checked again.
    private static let longest = Duration.seconds(600)

    private let tail: EventTail
    private let clock: ServerClock
    private let open = Mutex(0)

    init(_ tail: EventTail, clock: ServerClock) {
        (self.tail, self.clock) = (tail, clock)
    }

    /// `text/event-stream` (https://html.spec.whatwg.org/multipage/server-sent-events.html), at most one event per second.
    ///
    /// - Throws: 503 if too many are open.
    func response(for app: App) throws(Problem) -> Response {
        guard let place = takePlace() else {
            throw .unavailable("too_many_streams", "too many live pages are open")
        }
        let body = ResponseBody { [tail, clock] writer in
            defer { withExtendedLifetime(place) {} }
            // The browser waits this long before it asks again.
            try await writer.write(ByteBuffer(string: "retry: 5000\n\n"))
            var feed = TailFeed(tail, of: app)
            let end = ContinuousClock.now + Self.longest
            while ContinuousClock.now < end, !Task.isShuttingDownGracefully {
                if let event = feed.next(at: clock.now) {
                    try await writer.write(ByteBuffer(string: event))
                }
                try await Task.sleep(for: Self.pause)
            }
            try await writer.finish(nil)
        }
        var headers: HTTPFields = [.contentType: "text/event-stream"]
        // Proxies keep what they may, which would be everything.
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return Response(status: .ok, headers: headers, body: body)
    }

    func takePlace() -> StreamPlace? {
        let isFree = open.withLock { open in
            guard open < Self.most else { return false }
            open += 1
            return true
        }
        return isFree ? StreamPlace { [self] in open.withLock { $0 -= 1 } } : nil
    }
}
