internal import Basics
internal import Ingestion
internal import Settings

typealias ServerSetting = Setting<ServerConfiguration>

extension ServerSetting {
    /// Every setting, in reading order. A new one is a line here; its default is next to its value.
    static let all: [ServerSetting] = [
        .text("host", \.host, flag: "--host", "The address to listen on; 0.0.0.0 for all."),
        .number("port", \.port, flag: "--port", 0...65_535, "", "The port to listen on; 0 picks a free one."),
        .text(
            "admin.host", \.adminHost,
            "The address on which health checks and metrics have a port of their own."),
        .port(
            "admin.port", \.adminPort,
            "The port of health checks and metrics alone. If it is set, /metrics is only there."),
        .data, .tokenKey, .databaseURL, .databaseCells,
        .number(
            "database.writers", \.writers, 1...64, "connections",
            "Batches that may be written at the same time, each on its own connection."),
        .number(
            "database.connections", \.administrationConnections, 1...200, "connections",
            "Connections for registrations, feeds and the console."),
        .seconds(
            "database.statement_timeout", \.statementTimeout, 1...600,
            "How long one round trip to the database may take; beyond it, its requests get 503."),
        .seconds(
            "database.work_timeout", \.workTimeout, 1...600,
            "How long a request may use the database in total, including retries."),
        .preparedStatements, .distribution, .allowUnsafe, .postgresPrograms,
        .number(
            "limits.body_bytes", \.limits.bodyBytes, 1_024...1_073_741_824, "bytes",
            "The maximum size of a request body, once unpacked."),
        .number(
            "limits.items", \.limits.itemsPerRequest, 1...1_000_000, "items",
            "The maximum number of items in one request."),
        .number(
            "limits.device_body_bytes", \.limits.deviceBodyBytes, 1_024...1_073_741_824, "bytes",
            "The maximum size of a request body with a device key, once unpacked."),
        .number(
            "limits.device_items", \.limits.deviceItems, 1...1_000_000, "items",
            "The maximum number of items in one request with a device key."),
        .number(
            "limits.queued_items", \.limits.queued.items, 1...10_000_000, "items",
            "The items that may wait to be written. An app's servers, or its devices, that have twice what is left get 503."
        ),
        .number(
            "limits.queued_bytes", \.limits.queued.bytes, 1_024...17_179_869_184, "bytes",
            "The bytes of request bodies that the server may hold, divided in the same way."),
        .number(
            "limits.header_bytes", \.limits.headerBytes, 1_024...1_048_576, "bytes",
            "The maximum size of all header fields of a request; beyond it 431."),
        .number(
            "limits.header_count", \.limits.headerCount, 10...10_000, "fields",
            "The maximum number of header fields of a request; beyond it 431."),
        .seconds(
            "limits.request_timeout", \.limits.requestTimeout, 1...3_600,
            "How long a request may take from its first byte until its body is complete; beyond it 408."),
        .seconds(
            "limits.idle_timeout", \.limits.idleTimeout, 1...3_600,
            "How long a connection may be idle between requests."),
        .number(
            "limits.connections", \.limits.connections, 1...1_000_000, "connections",
            "The maximum number of open connections; for each further one, the one that has been idle longest is closed."
        ),
        .number(
            "limits.connections_per_address", \.limits.connectionsPerAddress, 1...1_000_000, "connections",
            "The same for one address; if none of its connections is idle, further ones are closed at once."),
        .number(
            "limits.feed_waiters", \.limits.feedWaiters, 1...100_000, "requests",
            "Requests for changes of tokens that may wait (wait=30); one app may have a quarter of them."),
        .rate(
            "limits.device_events", \.limits.deviceEvents,
            "Events per second and burst that one address may post with device keys although they are about nothing known; beyond it 429."
        ),
        .number(
            "limits.device_waiting", \.limits.deviceWaiting, 1...1_000_000, "events",
            "Events from one address with device keys that may wait to be recorded, at least those of one request; beyond it 429."
        ),
        .rate(
            "limits.installation_requests", \.limits.installationRequests,
            "Requests per second and burst about one installation with device keys, by address; beyond it 429."
        ),
        .rate(
            "limits.server_requests", \.limits.serverRequests,
            "Requests per second and burst, with one server or hook key from one address; beyond it 429."),
        .rate("limits.report_requests", \.limits.reportRequests, "The same for a report key."),
        .rate(
            "limits.failed_authentications", \.limits.failedAuthentications,
            "The same for requests without a valid key."),
        .value(
            "limits.trusted_proxies", \.trustedProxies,
            expecting: "addresses or ranges separated by commas, such as 10.0.0.0/8,fd00::/8",
            "Proxies whose X-Forwarded-For and Forwarded are trusted.", text: { $0 },
            parse: { text in ServerConfiguration.ranges(text).map { _ in text } }),
        .number(
            "reports.connections", \.reports.connections, 1...50, "connections",
            "Connections for GET /v1/reports; further reports wait."),
        .seconds(
            "reports.statement_timeout", \.reports.statementTimeout, 0.1...600,
            "How long one statement of a report may take; beyond it 504."),
        .days(
            "reports.window_days", \.reports.window, 1...3_650,
            "The longest window of a report over HTTP; beyond it 400."),
        .number(
            "reports.rows", \.reports.rows, 1...1_000_000, "rows",
            "The maximum number of rows of a report over HTTP; beyond it 400."),
        .days("retention.days", \.retention, 1...3_650, "How long rows are kept; older events are rejected."),
        .value(
            "retention.packed_after", \.packedAfter, unit: "days", expecting: "off, or days from 2 to 3650",
            "The age from which days are packed, which halves their room; their late events still count.",
            text: { $0.map { "\($0.milliseconds / Span.days(1).milliseconds)" } ?? "off" },
            parse: { text -> Span?? in
                if text.lowercased() == "off" { return .some(nil) }
                guard let days = Int64(text), (2...3_650).contains(days) else { return nil }
                return .some(.days(days))
            }),
        .toggle(
            "web.enabled", \.web.isEnabled,
            "Whether this server serves the web console to people who sign in."),
        .text("web.host", \.web.host, "The address on which the console has a port of its own."),
        .port(
            "web.port", \.web.port,
            "The port of the console alone. If it is set, the console is only there."),
        .text(
            "web.proxy_user_header", \.web.proxyUserHeader,
            "The header field in which a trusted proxy names the person it has signed in."),
        .text(
            "web.proxy_groups_header", \.web.proxyGroupsHeader,
            "The header field with that person's groups: landfall-viewer, landfall-operator, landfall-admin."),
        .text(
            "web.proxy_secret", \.web.proxySecret, secrecy: .secret,
            "What the proxy sends in Landfall-Proxy-Secret; without it, no proxy signs anyone in."),
        .toggle(
            "maintenance.enabled", \.runsMaintenance, "Whether this server runs the periodic maintenance."),
        .seconds(
            "shutdown.grace", \.shutdownGrace, 1...300,
            "How long requests in progress may continue after a signal to stop."),
        .toggle(
            "core_dumps", \.allowsCoreDumps,
            "Keep the system's setting for core dumps; they contain token values, so they are off by default."
        ),
        .choice("log.level", \.logging.level, flag: "--log-level", "The lowest level that is written."),
        .choice(
            "log.format", \.logging.format, "text, json, or auto: text on a terminal, JSON lines elsewhere."),
        .choice(
            "log.access", \.logging.access,
            "Requests that are logged: on (all), off, or errors (status 500 and above)."),
    ]

    static func named(_ name: String) -> ServerSetting? { all.first { $0.name == name } }

    var defaultText: String { read(ServerConfiguration()) }

    /// A port that may be off.
    static func port(_ name: String, _ place: Place<Int?>, _ summary: String) -> ServerSetting {
        value(
            name, place, expecting: "off, or a port from 1 to 65535", summary,
            text: { $0.map { "\($0)" } ?? "off" },
            parse: { text -> Int?? in
                if text.lowercased() == "off" { return .some(nil) }
                guard let port = Int(text), (1...65_535).contains(port) else { return nil }
                return port
            })
    }

    /// Requests per second and burst, or off.
    static func rate(_ name: String, _ place: Place<RateLimit?>, _ summary: String) -> ServerSetting {
        value(
            name, place, expecting: "off, or requests per second and burst, such as 20/100", summary,
            text: { $0.map { "\(plain($0.perSecond))/\($0.burst)" } ?? "off" },
            parse: { text -> RateLimit?? in
                if text.lowercased() == "off" { return .some(nil) }
                let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
                guard numbers.count == 2, let perSecond = Double(numbers[0]), let burst = Int(numbers[1]),
                    (0.001...1_000_000).contains(perSecond), (1...1_000_000).contains(burst)
                else { return nil }
                return RateLimit(perSecond: perSecond, burst: burst)
            })
    }
}
