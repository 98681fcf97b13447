internal import NIOCore

/// The progress of one connection's requests, and whether they are within the bounds: this type decides,
/// `RequestBounds` acts.
struct RequestProgress {
    private let limits: ServerConfiguration.Limits
    private let timeout: TimeAmount
    private let idleTimeout: TimeAmount
    /// Requests whose head has arrived and whose response has not ended.
    private var withoutResponse = 0
    /// The head has arrived, the end of the body has not.
    private var isReading = false
    private var responseHasBegun = false
    private var bodyBytes = 0
    private var wireBytes = 0
    private var lastReadAt = NIODeadline.uptimeNanoseconds(0)
    /// The time at which the connection last became idle.
    private var idleSince = NIODeadline.uptimeNanoseconds(0)
    /// The time at which the first byte of the request being read arrived; `nil` between requests.
    private var begunAt: NIODeadline?
    /// The time at which the client stopped reading responses; `nil` while it reads.
    private var stuckSince: NIODeadline?

    init(_ limits: ServerConfiguration.Limits) {
        self.limits = limits
        timeout = TimeAmount(limits.requestTimeout)
        idleTimeout = TimeAmount(limits.idleTimeout)
    }

    mutating func connected(at now: NIODeadline) {
        idleSince = now
    }

    /// Bytes arrived on the wire; they are not decoded yet.
    mutating func bytesArrived(_ count: Int, at now: NIODeadline) -> Problem? {
        lastReadAt = now
        if begunAt == nil { begin() }
        wireBytes += count
        return wireBytes > limits.wireBytes ? .bodyTooLarge : nil
    }

    mutating func headArrived(contentLength: Int?, isPacked: Bool) -> Problem? {
        // It arrived together with the end of another request.
        if begunAt == nil { begin() }
        withoutResponse += 1
        isReading = true
        bodyBytes = 0
        return contentLength ?? 0 > (isPacked ? limits.wireBytes : limits.bodyBytes) ? .bodyTooLarge : nil
    }

    /// Unpacked bytes of the body arrived.
    mutating func bodyArrived(_ count: Int) -> Problem? {
        bodyBytes += count
        return bodyBytes > limits.bodyBytes ? .bodyTooLarge : nil
    }

    mutating func requestEnded() {
        isReading = false
        begunAt = nil
    }

    mutating func responseBegan() {
        responseHasBegun = true
    }

    mutating func responseEnded(at now: NIODeadline) {
        responseHasBegun = false
        withoutResponse -= 1
        idleSince = now
        // If part of the next request was read, it may have waited for this response, so its time starts now.
        if begunAt != nil { begunAt = now }
    }

    mutating func writabilityChanged(_ isWritable: Bool, at now: NIODeadline) {
        stuckSince = isWritable ? nil : now
    }

    private mutating func begin() {
        // For bytes held back until a response was sent, time starts with that response.
        begunAt = max(lastReadAt, idleSince)
        wireBytes = 0
    }

    /// The time since which the connection waits for a request: for its first byte or, once that has arrived,
    /// for the rest of its head. `nil` while a request is in progress.
    var waitingSince: NIODeadline? {
        withoutResponse == 0 && stuckSince == nil ? begunAt ?? idleSince : nil
    }

    /// The time since which a request in progress waits for its client: to send the rest of its body, or to
    /// read its response. `nil` while the client waits for the server.
    var heldUpSince: NIODeadline? { stuckSince ?? (isReading && !isBehindOthers ? begunAt : nil) }

    /// Whether earlier requests still wait for their responses.
    var isBehindOthers: Bool { withoutResponse > (isReading ? 1 : 0) }

    /// Whether a response written now would belong to the request being read.
    var mayRespond: Bool { !responseHasBegun && withoutResponse == (isReading ? 1 : 0) }

    /// Whether the client may be waiting for permission to send the body.
    var awaitsBody: Bool { isReading && bodyBytes == 0 && mayRespond }

    /// The time since the first byte of the request being read arrived.
    func age(at now: NIODeadline) -> Duration {
        begunAt.map { .nanoseconds((now - $0).nanoseconds) } ?? .zero
    }

    enum Lateness: Equatable {
        /// In time; check again at this deadline.
        case notBefore(NIODeadline)
        case requestOverdue
        case clientStuck
        /// The connection has been idle between requests for too long.
        case idle
    }

    func lateness(at now: NIODeadline) -> Lateness {
        var again = now + min(timeout, idleTimeout)
        if let stuckSince {
            let deadline = stuckSince + timeout
            guard deadline > now else { return .clientStuck }
            again = min(again, deadline)
        }
        // Time does not run while earlier requests wait for their responses.
        guard !isBehindOthers else { return .notBefore(again) }
        if let begunAt {
            let deadline = begunAt + timeout
            return deadline <= now ? .requestOverdue : .notBefore(min(deadline, again))
        }
        guard stuckSince == nil, withoutResponse == 0 else { return .notBefore(again) }
        let deadline = idleSince + idleTimeout
        return deadline <= now ? .idle : .notBefore(min(deadline, again))
    }
}
