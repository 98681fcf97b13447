internal import Access
internal import DeliveryModel
public import Ingestion

extension ServerConfiguration {
    /// The limits on what one caller may cost this server.
    public struct Limits: Sendable {
        /// Bytes of an unpacked body. Beyond that, the server responds with 413 and closes the connection.
        public var bodyBytes = 16 * 1_024 * 1_024
        /// Items of one `POST /v1/events`. Beyond that, the server responds with 413.
        public var itemsPerRequest = 10_000
        /// Both limits for requests with a device key, unless the general ones are lower.
        public var deviceBodyBytes = 256 * 1_024
        public var deviceItems = 100
        /// What may wait to be written. A flow that has its share gets 503 (``Flow``).
        public var queued = BatchLimits().queued

        /// Bytes of a request's header fields and path together. Beyond that, the server responds with 431.
        public var headerBytes = 16 * 1_024
        /// Header fields of a request. Beyond that, the server responds with 431.
        public var headerCount = 100
        /// The time from the first byte of a request until its body is complete. After that, the server
        /// responds with 408. The time of the response does not count. A client that does not read its
        /// response for this long is disconnected, too.
        public var requestTimeout = Duration.seconds(15)
        /// How long a client may stall its request while others need its connection's place.
        var patience: Duration { heldUpPatience ?? requestTimeout / 5 }
        /// A shorter patience, for tests that do not wait.
        var heldUpPatience: Duration?
        /// How long a connection may be idle between requests.
        public var idleTimeout = Duration.seconds(60)
        /// Concurrent connections. For each further one, the connection that has waited for a request for the
        /// longest time is closed. If none waits, it is the one whose client has stalled its request for the
        /// longest time, and for longer than ``patience``. If there is no such connection, further ones wait
        /// to be accepted; a few more may be accepted with the last.
        public var connections = 4_096
        /// Concurrent connections from one address that is not a trusted proxy's. For each further one, the
        /// address's own that has waited for a request for the longest time is closed. While none does,
        /// further ones are closed at once.
        public var connectionsPerAddress = 512

        /// Requests for changes of tokens that may wait at the same time, a quarter of them for one app
        /// (``FeedWaits``). For each further one, the server responds with 503, or 429 for the app's limit.
        public var feedWaiters = 1_000

        /// Events from one address with device keys that turn out to be noise (``Charge``); an IPv6 site may
        /// send ten times as many. `nil` means no limit.
        public var deviceEvents: RateLimit? = RateLimit(perSecond: 20, burst: 100)
        /// Events from one address with device keys whose outcome is not known yet, or those of its largest
        /// request if it may have more. Not limited if ``deviceEvents`` is not.
        public var deviceWaiting = 2_000
        /// Requests about one installation with device keys. `nil` means no limit.
        public var installationRequests: RateLimit? = RateLimit(perSecond: 1, burst: 30)
        /// Requests with one server or hook key from one address. `nil` means no limit.
        public var serverRequests: RateLimit?
        /// Requests with one report key from one address. `nil` means no limit.
        public var reportRequests: RateLimit?
        /// Requests without a valid key from one address. `nil` means no limit.
        public var failedAuthentications: RateLimit? = RateLimit(perSecond: 10, burst: 50)
        /// The proxies whose `X-Forwarded-For` and `Forwarded` are trusted. If a proxy is not listed here,
        /// all callers behind it share its address.
        public var trustedProxies: [AddressRange] = []

        /// The time by which limits on rates refill.
        var steadyTime: @Sendable () -> ContinuousClock.Instant = { .now }

        public init() {}

        func bodyBytes(with kind: APIKey.Kind) -> Int {
            kind == .device ? min(deviceBodyBytes, bodyBytes) : bodyBytes
        }

        func items(with kind: APIKey.Kind) -> Int {
            kind == .device ? min(deviceItems, itemsPerRequest) : itemsPerRequest
        }

        /// An address of which nothing else waits has room for any one request: no repeat helps otherwise.
        var mostWaiting: Int { max(deviceWaiting, items(with: .device), FieldLimits.tokens) }

        /// Bytes of one request on the wire: framing and packing may add a quarter to the body.
        var wireBytes: Int { bodyBytes + bodyBytes / 4 + 64 * 1_024 }
    }
}

/// How often something may happen: `burst` times at once, then `perSecond` times a second.
public struct RateLimit: Hashable, Sendable {
    public let perSecond: Double
    public let burst: Int

    /// - Parameters:
    ///   - perSecond: at least 0.001.
    ///   - burst: at least 1.
    public init(perSecond: Double, burst: Int) {
        self.perSecond = max(perSecond, 0.001)
        self.burst = max(burst, 1)
    }

    /// The time until one token is refilled.
    var interval: Duration { .nanoseconds(Int64(1_000_000_000 / perSecond)) }
    /// The time until an empty bucket is full again.
    var window: Duration { interval * burst }
}
