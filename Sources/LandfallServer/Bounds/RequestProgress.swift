internal import NIOCore

/// How far the requests of one connection are, and whether they keep within the bounds: it decides, `RequestBounds` acts.
struct RequestProgress {
    private let limits: ServerConfiguration.Limits
    private let timeout: TimeAmount
    private let idleTimeout: TimeAmount
    /// Requests whose head has come and whose answer has not ended.
    private var unanswered = 0
    /// The head has come, the end of the body has not.
    private var isReading = false
    private var answerHasBegun = false
    private var bodyBytes = 0
    private var wireBytes = 0
    private var lastReadAt = NIODeadline.uptimeNanoseconds(0)
    /// Since when nothing is to be read or answered.
    private var idleSince = NIODeadline.uptimeNanoseconds(0)
    /// When the first byte of the request that is being read came; nil between requests.
    private var begunAt: NIODeadline?
    /// Since when the client has not taken what was written; nil while it does.
    private var stuckSince: NIODeadline?

    init(_ limits: ServerConfiguration.Limits) {
        self.limits = limits
        timeout = TimeAmount(limits.requestTimeout)
        idleTimeout = TimeAmount(limits.idleTimeout)
    }

    mutating func connected(at now: NIODeadline) {
        idleSince = now
    }

    /// Bytes came over the wire, not decoded yet.
    mutating func bytesArrived(_ count: Int, at now: NIODeadline) -> Problem? {
        lastReadAt = now
        if begunAt == nil { begin() }
        wireBytes += count
        return wireBytes > limits.wireBytes ? .bodyTooLarge : nil
    }

    mutating func headArrived(contentLength: Int?, isPacked: Bool) -> Problem? {
        // It came in one piece with the end of another request.
        if begunAt == nil { begin() }
        unanswered += 1
        isReading = true
        bodyBytes = 0
        return contentLength ?? 0 > (isPacked ? limits.wireBytes : limits.bodyBytes) ? .bodyTooLarge : nil
    }

    /// Unpacked bytes of the body came.
    mutating func bodyArrived(_ count: Int) -> Problem? {
        bodyBytes += count
        return bodyBytes > limits.bodyBytes ? .bodyTooLarge : nil
    }

    mutating func requestEnded() {
        isReading = false
        begunAt = nil
    }

    mutating func answerBegan() {
        answerHasBegun = true
    }

    mutating func answerEnded(at now: NIODeadline) {
        answerHasBegun = false
        unanswered -= 1
        idleSince = now
        // What was read of the next one may have waited for this answer: its time begins now.
        if begunAt != nil { begunAt = now }
    }

    mutating func writabilityChanged(_ isWritable: Bool, at now: NIODeadline) {
        stuckSince = isWritable ? nil : now
    }

    private mutating func begin() {
        // What was held back until an answer was out has its time from then on.
        begunAt = max(lastReadAt, idleSince)
        wireBytes = 0
    }

    /// Earlier requests are still to be answered.
    var isBehindOthers: Bool { unanswered > (isReading ? 1 : 0) }

    /// An answer that is written now answers what is being read.
    var mayAnswer: Bool { !answerHasBegun && unanswered == (isReading ? 1 : 0) }

    /// The client may be waiting for leave to send the body.
    var awaitsBody: Bool { isReading && bodyBytes == 0 && mayAnswer }

    /// How long ago the first byte of the request that is being read came.
    func age(at now: NIODeadline) -> Duration {
        begunAt.map { .nanoseconds((now - $0).nanoseconds) } ?? .zero
    }

    enum Lateness: Equatable {
        /// In time; look again then.
        case notBefore(NIODeadline)
        case requestOverdue
        case clientStuck
        /// The connection has lain still between requests for too long.
        case idle
    }

    func lateness(at now: NIODeadline) -> Lateness {
        var again = now + min(timeout, idleTimeout)
        if let stuckSince {
            let deadline = stuckSince + timeout
            guard deadline > now else { return .clientStuck }
            again = min(again, deadline)
        }
        // While others are answered time does not run.
        guard !isBehindOthers else { return .notBefore(again) }
        if let begunAt {
            let deadline = begunAt + timeout
            return deadline <= now ? .requestOverdue : .notBefore(min(deadline, again))
        }
        guard stuckSince == nil, unanswered == 0 else { return .notBefore(again) }
        let deadline = idleSince + idleTimeout
        return deadline <= now ? .idle : .notBefore(min(deadline, again))
    }
}
