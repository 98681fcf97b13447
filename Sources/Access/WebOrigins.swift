internal import DeliveryModel
public import PostgresClient

/// The origins of all apps, for preflights, which carry no key. They are read at most once in a few seconds,
/// whatever the number of preflights: concurrent ones share a query.
public actor OriginRing {
    private let timeToLive: Duration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let read: @Sendable () async throws -> WebOrigins
    private var known: (origins: WebOrigins, expiresAt: ContinuousClock.Instant)?
    private var query: Task<WebOrigins, any Error>?

    public init(
        timeToLive: Duration = .seconds(5), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        read: @escaping @Sendable () async throws -> WebOrigins
    ) {
        self.timeToLive = timeToLive
        self.now = now
        self.read = read
    }

    public init(pool: PostgresPool) {
        self.init {
            try await pool.withConnection(attempts: 2) { try AppDirectory($0).origins() }
        }
    }

    /// The origins that any app allows. While the database does not respond, they are those of before.
    ///
    /// - Throws: errors of the database if they were never read.
    public func origins() async throws -> WebOrigins {
        if let known, known.expiresAt > now() { return known.origins }
        let query = self.query ?? Task { try await self.ask() }
        self.query = query
        return try await query.value
    }

    private func ask() async throws -> WebOrigins {
        defer { query = nil }
        let expiresAt = now() + timeToLive
        do {
            let origins = try await read()
            known = (origins, expiresAt)
            return origins
        } catch {
            guard let earlier = known?.origins else { throw error }
            known = (earlier, expiresAt)
            return earlier
        }
    }
}

/// The origins whose pages may use an app's device keys (`landfall app set cors_origins`).
public struct WebOrigins: Hashable, Sendable {
    /// Stands for every origin.
    public static let everyOrigin = "*"

    private let names: Set<String>

    public init(_ names: [String] = []) {
        self.names = Set(names)
    }

    public func contains(_ origin: String) -> Bool {
        names.contains(origin) || names.contains(Self.everyOrigin)
    }

    /// Returns the origins of a list separated by commas, without repeats; `nil` if one is not as browsers
    /// send it: `scheme://host` in lowercase, with a port only if it is not the scheme's own.
    static func list(_ text: String) -> String? {
        // With every origin, the others would have no meaning.
        guard let names = AppSetting.list(text, isValid: { $0 == everyOrigin || isOrigin($0) }),
            names == [everyOrigin] || !names.contains(everyOrigin)
        else { return nil }
        return names.joined(separator: ",")
    }

    private static func isOrigin(_ text: String) -> Bool {
        guard text.utf8.count <= FieldLimits.origin,
            let match = text.wholeMatch(of: #/([a-z][a-z0-9+.-]*)://([^:/]+)(?::([0-9]+))?/#)
        else { return false }
        let (scheme, host) = (match.output.1, match.output.2)
        guard host.wholeMatch(of: #/[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?/#) != nil else { return false }
        guard let digits = match.output.3 else { return true }
        guard digits.first != "0", let port = Int(digits), port <= 65_535 else { return false }
        return !((scheme == "http" && port == 80) || (scheme == "https" && port == 443))
    }
}
