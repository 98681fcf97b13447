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

    private let tail: EventTail
    private let clock: ServerClock
    private let open = Mutex(0)

    init(_ tail: EventTail, clock: ServerClock) {
        (self.tail, self.clock) = (tail, clock)
    }

    /// `text/event-stream` (https://html.spec.whatwg.org/multipage/server-sent-events.html), at most one event per second.
    ///
    /// - Throws: 503 if too many are open.
    func response(for visit: Visit, among streams: OpenStreams) throws(Problem) -> Response {
        guard let place = takePlace() else {
            throw .unavailable("too_many_streams", "too many live pages are open")
        }
        let app = try visit.requireApp()
        let right = try streams.open(for: visit)
        let body = ResponseBody { [tail, clock] writer in
            defer { withExtendedLifetime(place) {} }
            // The browser waits this long before it asks again.
            try await writer.write(ByteBuffer(string: "retry: 5000\n\n"))
            var feed = TailFeed(tail, of: app)
            while right.isOpen, !Task.isShuttingDownGracefully {
                // Rows are rendered on the console's threads, as pages are.
                let event = await withTaskExecutorPreference(ConsoleExecutor.shared) {
                    feed.next(at: clock.now)
                }
                if let event { try await writer.write(ByteBuffer(string: event)) }
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
