internal import NIOCore
internal import NIOHTTP1

/// The progress of one connection's requests, and what the lane does with each part of them: this type
/// decides, ``EventLane`` acts.
///
/// The lane handles one request at a time, and none while the client does not read the responses. Until then
/// nothing more is read, and parts that are already decoded are held.
struct LaneProgress<Post> {
    enum Held {
        case part(HTTPServerRequestPart)
        case event(Any)
        case error(any Error)
    }

    typealias Close = (mode: CloseMode, promise: EventLoopPromise<Void>?)

    enum Step {
        /// Nothing: the part is held, or belongs to a request that needs no more.
        case wait
        /// The lane may accept the request; see ``accepted(_:)`` and ``routed()``.
        case offer(HTTPRequestHead)
        case append(ByteBuffer, Post)
        case record(Post)
        case route
    }

    private enum Phase {
        /// This many requests in the router have no response. The lane accepts one only if none are left.
        case open(routed: Int)
        case reading(Post)
        /// The post was read and waits for its commit.
        case recording(Post)
        /// The lane will not respond to the request being read; later handlers close the connection.
        case givenUp
    }

    private var phase = Phase.open(routed: 0)
    private var held = CircularBuffer<Held>(initialCapacity: 0)
    /// Requests to close that came while a request was being read or handled.
    private var closes: [Close] = []
    private var isReadHeld = false
    private var isReleasing = false
    private var isWritable = true

    /// Whether inbound parts are held: a request is being handled, or the client does not read its responses.
    private var isPaused: Bool {
        switch phase {
        case .recording: true
        case .open(routed: 0): !isWritable
        case .open, .reading, .givenUp: false
        }
    }

    /// Whether an earlier request waits for its response and later handlers have not seen it.
    private var isAhead: Bool {
        switch phase {
        case .recording: true
        case .open: !held.isEmpty
        case .reading, .givenUp: false
        }
    }

    // MARK: Inbound

    mutating func received(_ part: HTTPServerRequestPart) -> Step {
        guard !isPaused else {
            held.append(.part(part))
            return .wait
        }
        switch (phase, part) {
        case (.open(routed: 0), .head(let head)): return .offer(head)
        case (.reading(let post), .body(let bytes)): return .append(bytes, post)
        case (.reading(let post), .end):
            phase = .recording(post)
            return .record(post)
        case (.reading, .head): return .wait
        case (.open, .head):
            routed()
            return .route
        case (.open, _), (.givenUp, _), (.recording, _): return .route
        }
    }

    mutating func accepted(_ post: Post) { phase = .reading(post) }

    mutating func routed() {
        if case .open(let routed) = phase { phase = .open(routed: routed + 1) }
    }

    /// Whether to read more from the connection. While a client sends one request at a time and reads the
    /// responses, the lane continues to read: that is cheaper than pausing.
    mutating func shouldRead() -> Bool {
        isReadHeld = isPaused && !(held.isEmpty && closes.isEmpty && isWritable)
        return !isReadHeld
    }

    /// Whether to pass on an event or error now. For example, a later handler that learned of the end of the
    /// client's input would close before the response.
    mutating func shouldPassOn(_ event: Held) -> Bool {
        if isAhead { held.append(event) }
        return !isAhead
    }

    // MARK: Outbound

    /// A later handler writes part of a response. Returns the post being read, if the response is to that:
    /// the lane gives up, and so do the requests to close.
    mutating func wrote(_ part: HTTPServerResponsePart) -> (post: Post, closes: [Close])? {
        switch (phase, part) {
        case (.open(let routed), .end) where routed > 0:
            phase = .open(routed: routed - 1)
            return nil
        case (.reading(let post), .head):
            phase = .givenUp
            defer { closes = [] }
            return (post, closes)
        default: return nil
        }
    }

    /// Whether to close now; otherwise ``released()`` returns the request later.
    mutating func shouldClose(_ close: Close) -> Bool {
        var mustWait = isAhead
        if case .reading = phase { mustWait = true }
        guard mustWait, close.mode != .input else { return true }
        closes.append(close)
        return false
    }

    mutating func changed(isWritable: Bool) { self.isWritable = isWritable }

    /// The post that waits for its response; `nil` if the connection no longer does.
    var recording: Post? {
        guard case .recording(let post) = phase else { return nil }
        return post
    }

    mutating func responded() { phase = .open(routed: 0) }

    // MARK: Held events

    /// Begins to release held events. False if there are none, or if this is under way: a rejection is
    /// written within that loop.
    mutating func beginRelease() -> Bool {
        guard !isReleasing, !isPaused, isReadHeld || !held.isEmpty || !closes.isEmpty else { return false }
        isReleasing = true
        return true
    }

    /// The next held event; `nil`, which ends the release, if there is none or a request is being handled.
    mutating func nextHeld() -> Held? {
        if !isPaused, let next = held.popFirst() { return next }
        isReleasing = false
        return nil
    }

    /// After a release: the requests to close that need not wait any longer, and whether a read was held.
    mutating func released() -> (closes: [Close], isReadHeld: Bool) {
        guard case .open = phase, !isPaused else { return ([], isReadHeld) }
        defer { closes = [] }
        return (closes, isReadHeld)
    }

    /// Returns the requests to close of a connection that has ended: a caller may be waiting for them.
    mutating func ended() -> [Close] {
        held.removeAll()
        defer { closes = [] }
        return closes
    }
}
