public import DeliveryModel

extension ServerConfiguration {
    /// What reports over HTTP may cost. They have connections of their own, so that they never hold up ingestion.
    public struct ReportLimits: Sendable {
        /// Reports that may be worked out at once; further ones wait.
        public var connections = 2
        /// How long one statement of a report may take; then it is answered 504.
        public var statementTimeout = Duration.seconds(10)
        /// The longest window, and the longest one it is compared with; beyond it 400.
        public var window = Span.days(400)
        /// The most rows of one report; beyond it 400.
        public var rows = 10_000

        public init() {}
    }
}
