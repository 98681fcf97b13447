public import Ingestion

extension ServerConfiguration {
    /// What one caller may cost this server.
    public struct Limits: Sendable {
        /// Bytes of a request body, once unpacked. Beyond it the answer is 413 and the connection is closed.
        public var bodyBytes = 16 * 1_024 * 1_024
        /// Items of one `POST /v1/events`; beyond it 413.
        public var itemsPerRequest = 10_000
        /// When so much waits to be written, requests are answered 503.
        public var queued = BatchLimits().queued

        /// Bytes of all header fields of a request together, its path included; beyond it 431.
        public var headerBytes = 16 * 1_024
        /// Header fields of a request; beyond it 431.
        public var headerCount = 100
        /// From the first byte of a request until its body is complete; then 408. What the answer takes does not count.
        /// A client that does not take its answer for as long is cut off, too.
        public var requestTimeout = Duration.seconds(15)
        /// How long a connection may lie still between requests.
        public var idleTimeout = Duration.seconds(60)
        /// Connections at once; further ones wait to be accepted until one closes. A few more may come in with the last.
        public var connections = 4_096

        /// Requests with one device key from one address. Phones of a mobile network share addresses: raise it if many of
        /// them use one app. Nil does not count.
        public var deviceRequests: RateLimit? = RateLimit(perSecond: 20, burst: 100)
        /// Requests with one server key from one address. Nil does not count.
        public var serverRequests: RateLimit?
        /// Requests with one report key from one address. Nil does not count.
        public var reportRequests: RateLimit?
        /// Requests without a valid key from one address. Nil does not count.
        public var failedAuthentications: RateLimit? = RateLimit(perSecond: 10, burst: 50)
        /// The proxies whose `X-Forwarded-For` and `Forwarded` are believed. With none, the address is the socket's: behind
        /// a proxy that is not named here, all callers share one address.
        public var trustedProxies: [AddressRange] = []

        public init() {}

        /// Bytes of one request as they come over the wire: framing and packing may take a quarter more than the body.
        var wireBytes: Int { bodyBytes + bodyBytes / 4 + 64 * 1_024 }
    }
}
