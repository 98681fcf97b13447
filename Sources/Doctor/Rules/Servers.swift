internal import DeliveryModel
internal import PostgresClient

/// Servers whose clock differs from PostgreSQL's.
enum ServerClocks: NoteDiagnosis {
    typealias Detail = ClockDifference

    static let subject = "clocks"
    static let condition = DatabaseCondition.serverClock
    /// Servers repeat the note every minute. An older one is from a server that no longer runs.
    static let validity = Span.minutes(10)

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "servers and PostgreSQL agree" : "\(facts.count) off")
    }

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding {
        let seconds = fact.detail.seconds
        return Finding(
            .serverClock, .problem,
            "The clock of the server \(fact.source) is \(span(abs(seconds))) "
                + "\(seconds > 0 ? "ahead of" : "behind") PostgreSQL's.",
            "The server uses PostgreSQL's time instead of its own. If PostgreSQL's is the wrong one, "
                + "events are rejected as too_old or in_future, and tokens get wrong times.",
            "Synchronize the clocks of both machines with NTP (timedatectl set-ntp true).",
            command: ["timedatectl", "status"],
            evidence: [.init("server", .string(fact.source)), .init("ahead_seconds", .integer(seconds))])
    }

    /// `3 minutes`, `600 days`.
    private static func span(_ seconds: Int64) -> String {
        if seconds >= 172_800 { return Words.count((seconds + 43_200) / 86_400, "day") }
        if seconds >= 7_200 { return Words.count((seconds + 1_800) / 3_600, "hour") }
        return Words.count((seconds + 30) / 60, "minute")
    }
}

/// Requests that servers rejected with 429.
enum RateLimitedCallers: SingleDiagnosis {
    static let subject = "rate limits"
    static let isAboutTraffic = false

    /// The sum of all servers, each from its latest hour without rejections on.
    static func read(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> RateLimitedRequests {
        try connection.conditions(.rateLimited, as: RateLimitedRequests.self)
            .filter { $0.age < .days(1) }.reduce(RateLimitedRequests()) { $0 + $1.detail }
    }

    static func examined(_ facts: RateLimitedRequests, _ examination: Examination) -> Examined {
        .judged("\(Words.count(Int64(facts.total), "request")) got 429")
    }

    static func finding(_ facts: RateLimitedRequests, _ examination: Examination) -> Finding? {
        guard facts.total >= examination.rules.rateLimited else { return nil }
        let kinds = [
            ("device", Int64(facts.device), "with a device key"),
            ("server", Int64(facts.server), "with a server or hook key"),
            ("report", Int64(facts.report), "with a report key"),
            ("without_key", Int64(facts.withoutKey), "without a valid key"),
        ]
        let words = kinds.filter { $0.1 > 0 }.map { "\(Words.number($0.1)) \($0.2)" }
        return Finding(
            .rateLimited, .warning,
            "\(Words.count(Int64(facts.total), "request")) got 429 within the last day: \(Words.list(words)).",
            "Some caller exceeds a limit. With a device key, an address posts many events that are about "
                + "nothing known: they are forged, or their sender posts its responses late or not at all.",
            "If a proxy passes the requests on, name it in limits.trusted_proxies: otherwise all clients "
                + "share its address. If the clients are your own, let the sender post its responses at once "
                + "or sign receipts, or raise the limit. Clients that repeat rejected requests lose nothing.",
            command: ["landfall-server", "config"], evidence: kinds.map { .init($0.0, .integer($0.1)) })
    }
}

/// Requests about installations that servers rejected because they carried no credential.
enum MissingCredentials: SingleDiagnosis {
    static let subject = "credentials of installations"
    static let isAboutTraffic = false

    /// Servers note rejections twice a minute, so this is the last hour's latest minute with rejections.
    static func read(_ examination: Examination, on connection: PostgresConnection) throws -> Int64 {
        try connection.conditions(.credentialsMissing, as: RequestsWithoutCredential.self)
            .filter { $0.age < .hours(1) }.reduce(0) { $0 + $1.detail.count }
    }

    static func examined(_ facts: Int64, _ examination: Examination) -> Examined {
        .judged(facts == 0 ? "none missing" : "\(Words.count(facts, "request")) without one")
    }

    static func finding(_ facts: Int64, _ examination: Examination) -> Finding? {
        guard facts >= examination.rules.missingCredentials else { return nil }
        return Finding(
            .credentialsMissing, .warning,
            "Within half a minute of the last hour, \(Words.count(facts, "request")) of devices "
                + "got 403 credential_required.",
            "Either a version of the app does not keep the credential that its first registration returned, so its devices "
                + "cannot register their new tokens, or someone tries to act for installations of others.",
            "Let the app keep the credential and send it as Landfall-Credential; with one of its current "
                + "tokens, a device gets a new one (docs/trust.md). Until a version that does so is "
                + "released: landfall app set credentials observe.",
            command: ["landfall", "app", "show"], evidence: [.init("rejected", .integer(facts))])
    }
}

/// Servers that closed connections because too many of one address had a request in progress.
enum CrowdedServers: NoteDiagnosis {
    typealias Detail = CrowdedAddresses

    static let subject = "connections"
    static let condition = DatabaseCondition.crowdedAddress
    /// Servers repeat the note every half minute while it lasts.
    static let validity = Span.minutes(10)

    static func examined(_ facts: Facts, _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "within the limits" : "too many from one address")
    }

    static func finding(_ fact: Fact, _ examination: Examination) -> Finding {
        Finding(
            .crowdedAddress, .warning,
            "The server \(fact.source) closed \(Words.count(fact.detail.closed, "connection")) within "
                + "half a minute, because their address already had too many with a request in progress.",
            "Either a client floods the server, which the limit bounds, or a proxy is not listed as "
                + "trusted: then all of its clients share one limit, and honest ones are turned away.",
            "Name your proxies in limits.trusted_proxies. If many devices share an address without a "
                + "proxy, raise limits.connections_per_address.",
            command: ["landfall-server", "config"],
            evidence: [.init("server", .string(fact.source)), .init("closed", .integer(fact.detail.closed))])
    }
}

/// Keys that belong on servers and were used by pages in browsers within the last day.
enum LeakedKeys: EachDiagnosis {
    static let subject = "keys in pages"
    static let isAboutTraffic = false

    static func read(
        _ examination: Examination, on connection: PostgresConnection
    ) throws -> [KeysInPages.Key] {
        let noted = try connection.conditions(.keyInBrowser, as: KeysInPages.self)
            .filter { $0.age < .days(1) }
        return Set(noted.flatMap(\.detail.keys)).sorted { $0.keyID < $1.keyID }
    }

    static func examined(_ facts: [KeysInPages.Key], _ examination: Examination) -> Examined {
        .judged(facts.isEmpty ? "none" : "\(facts.count) used")
    }

    static func finding(_ key: KeysInPages.Key, _ examination: Examination) -> Finding {
        Finding(
            .keyInBrowser, .problem,
            "A page in a browser used the \(key.kind) key \(key.keyID) of app \(key.app).",
            "Anyone who can open the page can read the key. The server rejected the request, but from "
                + "anywhere else the key works.",
            "Revoke the key, give its server a new one, and give the page a device key. This finding "
                + "ends a day after the last use.",
            command: ["landfall", "key", "revoke", "\(key.keyID)", "--app", key.app],
            evidence: [
                .init("app", .string(key.app)), .init("key_id", .integer(key.keyID)),
                .init("kind", .string(key.kind)),
            ])
    }
}
