/// Keeps a sender's table of device tokens in step with Landfall.
///
/// It reads all tokens once, and from then on the changes. Each page is applied in one transaction with its
/// position, so the table is exact wherever the program was killed: a page is applied once or not at all.
public struct Mirror: Sendable {
    public struct Options: Sendable {
        /// Removes retired tokens instead of keeping them with their state.
        public var deletesRetired = false
        /// Ends once there is no further change.
        public var isOnce = false
        /// Reads all tokens again, and removes rows that are no longer among them.
        public var refills = false
        var pageSize = 10_000

        public init() {}
    }

    /// What a mirror has done.
    public struct Summary: Equatable, Sendable {
        /// Tokens that were read with all others.
        public var tokens = 0
        /// Rows of the ledger that were applied.
        public var changes = 0
    }

    /// The name of the table.
    let table: String
    let client: FeedClient
    let options: Options
    let open: @Sendable () throws -> any MirrorTarget
    let log: @Sendable (String) -> Void
    /// Sleeps; tests do not.
    let pause: @Sendable (Duration) async throws -> Void

    /// How long to go on trying with ``Options/isOnce``.
    private static let patience = Duration.seconds(60)

    init(
        table: String, client: FeedClient, options: Options, log: @escaping @Sendable (String) -> Void,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        open: @escaping @Sendable () throws -> any MirrorTarget
    ) {
        self.table = table
        self.client = client
        self.options = options
        self.open = open
        self.log = log
        self.pause = pause
    }

    /// - Parameters:
    ///   - place: `postgres://…` or `sqlite:FILE`.
    ///   - log: gets a line for each trouble, and one when the table is in step.
    /// - Throws: ``MirrorError/mistake(_:)`` for another place.
    public init(
        to place: String, _ table: MirrorTable, client: FeedClient, options: Options,
        log: @escaping @Sendable (String) -> Void
    ) throws(MirrorError) {
        let kind = try MirrorPlace(place)
        self.init(table: table.name, client: client, options: options, log: log) {
            switch kind {
            case .postgres(let url): try PostgresTarget(url: url, table: table)
            case .sqlite(let path): try SQLiteTarget(path: path, table: table)
            }
        }
    }

    /// Runs until the task is canceled, or once.
    ///
    /// - Throws: ``MirrorError``, `CancellationError`.
    public func run() async throws -> Summary {
        var course = MirrorCourse(self, Troubles(patience: options.isOnce ? Self.patience : nil))
        while true {
            do {
                try await course.run(on: try open())
                return course.summary
            } catch let trouble as MirrorTrouble {
                try await course.wait(after: trouble)
            } catch MirrorError.taken where course.hasOpened {
                // The database may not yet know that the session which held the lock is gone.
                try await course.wait(after: MirrorTrouble(reason: "the table is still locked"))
            }
        }
    }
}

/// Where the table is.
public enum MirrorPlace: Equatable, Sendable {
    case postgres(url: String)
    case sqlite(path: String)

    /// - Throws: ``MirrorError/mistake(_:)``, which does not repeat the text, because it may have a password.
    public init(_ text: String) throws(MirrorError) {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(url: text)
        } else if text.hasPrefix("sqlite:"), text.count > "sqlite:".count {
            let path = text.dropFirst("sqlite:".count)
            self = .sqlite(path: String(path.hasPrefix("//") ? path.dropFirst(2) : path))
        } else {
            throw .mistake(
                "--to names the sender's database: postgres://user@host/database, or sqlite:tokens.db")
        }
    }
}
