public import Basics

extension ServerConfiguration {
    /// Limits on the cost of reports over HTTP, which have their own connections and never hold up ingestion.
    public struct ReportLimits: Sendable {
        /// The number of reports computed at once; further ones wait.
        public var connections = 2
        /// How long one statement of a report may take. After that, the server responds with 504.
        public var statementTimeout = Duration.seconds(10)
        /// The longest window, also of a comparison. Beyond that, the server responds with 400.
        public var window = Span.days(400)
        /// The most rows of one report. Beyond that, the server responds with 400.
        public var rows = 10_000

        public init() {}
    }
}
