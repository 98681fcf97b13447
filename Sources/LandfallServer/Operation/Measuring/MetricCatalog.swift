public import PrometheusMetrics

/// Every metric of the server, as `GET /metrics` names it.
public enum MetricCatalog {
    static let events = MetricDescription(
        .counter, "landfall_events_total", labels: ["type", "verdict"],
        "Items of POST /v1/events by type and verdict, after the commit.")
    static let rejectedEvents = MetricDescription(
        .counter, "landfall_events_rejected_total", labels: ["code"],
        "Rejected items by the code that was returned.")
    static let receivedEvents = MetricDescription(
        .counter, "landfall_events_received_total",
        "Items of POST /v1/events with a verdict: the sum of accepted, duplicate and rejected ones.")
    static let skippedRecords = MetricDescription(
        .counter, "landfall_intake_skipped_total", labels: ["preset"],
        "Records of POST /v1/intake/{preset} that are not about the outcome of a push, and were ignored.")
    static let batchEvents = MetricDescription(
        .histogram, "landfall_batch_events", buckets: HistogramBuckets.counts,
        "Items written by one transaction.")
    static let batchWriteSeconds = MetricDescription(
        .histogram, "landfall_batch_write_seconds", buckets: HistogramBuckets.seconds,
        "Seconds to write one batch, including the commit and retries.")
    static let queuedEvents = MetricDescription(
        .gauge, "landfall_queue_events", "Items that have been read and have not been responded to yet.")
    static let queuedBytes = MetricDescription(
        .gauge, "landfall_queue_bytes", "Bytes of these items, as they were posted.")
    static let overloaded = MetricDescription(
        .counter, "landfall_overloaded_total", "Requests that got 503 because too much was queued.")
    static let registrations = MetricDescription(
        .counter, "landfall_registrations_total", labels: ["claim"],
        "Registrations by their right to act on the installation; rejected: those, and log-outs, that got 403."
    )
    static let accountClaims = MetricDescription(
        .counter, "landfall_account_claims_total", labels: ["proof"],
        "Registrations with an account or tags by the proof for them: verified, missing or invalid.")
    static let rateLimited = MetricDescription(
        .counter, "landfall_rate_limited_total", labels: ["key"],
        "Requests that got 429 `rate_limited`, by the kind of their key; none is without a valid one.")
    static let quotaExceeded = MetricDescription(
        .counter, "landfall_quota_exceeded_total", labels: ["subject"],
        "Events, registrations of new installations and registrations of new token values from device keys beyond the hourly quota of their app, or the share of their address."
    )
    static let connections = MetricDescription(.gauge, "landfall_connections", "Open HTTP connections.")
    static let closedConnections = MetricDescription(
        .counter, "landfall_connections_closed_total", labels: ["reason"],
        "Connections closed because every connection of their address had a request in progress, or because they were idle or stalled a request when all places were taken."
    )
    static let feedWaits = MetricDescription(
        .gauge, "landfall_feed_waits", "Requests for changes of tokens that may wait for one.")
    static let requests = MetricDescription(
        .counter, "landfall_http_requests_total", labels: ["route", "method", "status"],
        "Requests by route template, method and status.")
    static let browserRequests = MetricDescription(
        .counter, "landfall_browser_requests_total", labels: ["kind", "verdict"],
        "Preflights and requests with an Origin that browsers sent for pages, by verdict.")
    static let requestSeconds = MetricDescription(
        .histogram, "landfall_http_request_seconds", labels: ["route"], buckets: HistogramBuckets.seconds,
        "Seconds from the head of the request to the head of the response, by route template.")
    static let databaseConnections = MetricDescription(
        .gauge, "landfall_database_connections", labels: ["pool", "state"],
        "Connections to PostgreSQL by pool and state.")
    static let databaseErrors = MetricDescription(
        .counter, "landfall_database_errors_total", labels: ["sqlstate"],
        "Errors of PostgreSQL by SQLSTATE, including those after which a retry succeeded.")
    static let openBreakers = MetricDescription(
        .gauge, "landfall_breaker_open",
        "Breakers of all apps that hold tokens back until an operator decides, as of the last half minute.")
    static let quarantinedItems = MetricDescription(
        .gauge, "landfall_quarantine_items", labels: ["key"],
        "Items in the quarantines of all apps by the kind of key that posted them, as of the last half minute."
    )
    static let evictedItems = MetricDescription(
        .gauge, "landfall_quarantine_evicted_items", labels: ["key"],
        "Items evicted from quarantines so far, by the kind of key that posted them, as of the last half minute."
    )
    static let startTime = MetricDescription(
        .gauge, "process_start_time_seconds", "When the process started, in seconds since 1970 (UTC).")
    static let residentMemory = MetricDescription(
        .gauge, "process_resident_memory_bytes", "Resident memory of the process, on Linux.")
    static let cpuSeconds = MetricDescription(
        .counter, "process_cpu_seconds_total", "CPU time used by the process, in seconds.")
    static let build = MetricDescription(
        .gauge, "landfall_build_info", labels: ["version"], "Always 1; the label is the running version.")

    /// The metrics that have the label `cell` if there are several cells.
    static let ofCells = [
        queuedEvents, queuedBytes, batchEvents, batchWriteSeconds, databaseConnections, databaseErrors,
        openBreakers, quarantinedItems, evictedItems,
    ]

    public static let all = [
        receivedEvents, events, rejectedEvents, skippedRecords, rateLimited, quotaExceeded, overloaded,
        queuedEvents, queuedBytes, batchEvents, batchWriteSeconds, registrations, accountClaims, connections,
        closedConnections, feedWaits, requests, requestSeconds, browserRequests, databaseConnections,
        databaseErrors, openBreakers, quarantinedItems, evictedItems, startTime, residentMemory, cpuSeconds,
        build,
    ]
}
