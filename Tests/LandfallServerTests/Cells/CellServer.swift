import Access
import DeliveryModel
import FaultProxy
import Hummingbird
import HummingbirdTesting
import Logging
import People
import PostgresClient
import Settings
import TestDatabase
import Testing

@testable import LandfallServer

/// A server with two cells, both in the test's database: cell 0 in the schema that every test has, cell 1 in
/// another one, which it reaches through a proxy.
struct CellServer: Sendable {
    /// Asks with the keys of an app of cell 0.
    let shop: TestServer
    /// The same for an app of cell 1.
    let news: TestServer
    let backend: Backend
    let proxy: FaultProxy
    let logger: Logger

    static let schema = SchemaName("cell_1")

    /// - Parameter isAway: whether the server starts while the database of cell 1 is away.
    static func run(
        isAway: Bool = false, configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (CellServer) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        let (shop, shopKeys) = try await TestServer.makeApp("shop")
        let (news, newsKeys) = try makeNews()
        let proxy = try FaultProxy(upstream: database.socketFolder)
        defer { proxy.close() }
        if isAway { proxy.refuse() }
        var configuration = try configuration(ofCellOne: proxy.url(database: database.name))
        configure(&configuration)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let backend = try await Backend.open(configuration, tokenKey: testTokenKey, logger: logger)
        let application = buildApplication(configuration, backend: backend, logger: logger)
        do {
            try await application.test(.ahc(.http)) { client in
                let server = TestServer(app: shop, keys: shopKeys, port: try #require(client.port))
                let cells = CellServer(
                    shop: server, news: server.with(keys: newsKeys, app: news), backend: backend,
                    proxy: proxy, logger: logger)
                try await body(cells)
            }
        } catch {
            proxy.close()
            try await backend.close()
            throw error
        }
        proxy.close()
        try await backend.close()
    }

    static func configuration(
        ofCellOne url: String, schema: SchemaName? = schema, number: Int = 1
    ) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.databaseCells = CellList([
            CellAddress(cell: .front, url: TestDatabase.current.url, schema: TestDatabase.schema),
            CellAddress(
                cell: try #require(CellNumber(number)), url: url, schema: try #require(schema)),
        ])
        configuration.port = 0
        configuration.allowsUnsafeDatabase = true
        configuration.web.passphraseCost = .least
        configuration.statementTimeout = .seconds(2)
        configuration.workTimeout = .seconds(4)
        return configuration
    }

    /// A new connection to cell 1.
    static func connect() throws -> PostgresConnection {
        try PostgresConnection(url: TestDatabase.current.url, schema: try #require(schema))
    }

    private static func makeNews() throws -> (App, [APIKey.Kind: String]) {
        let (front, connection) = (try TestDatabase.current.connect(), try connect())
        let one = try #require(CellNumber(1))
        try Migrator().migrate(connection)
        try one.claim(connection, from: front)
        let app = try CellDirectory(front).create(slug: "news", in: one, on: connection, at: .now)
        let keys = try APIKey.Kind.allCases.map {
            ($0, try AppDirectory(connection).createKey(kind: $0, for: app, at: .now).text)
        }
        return (app, Dictionary(uniqueKeysWithValues: keys))
    }

    /// The only number in a statement's result, in cell 1.
    static func count(_ text: String) throws -> Int64 {
        let statement = SQLFile(name: "test/\(text.hashValue)", text: text)
        return try connect().query(statement).single().get(0, as: Int64.self)
    }

    /// The status of one cell according to `/readyz`; `nil` if the response does not list it.
    func status(of cell: Int) async throws -> String? {
        let text = try await shop.send(.get, "/readyz", as: nil).text
        return text.matches(of: #/\{"cell":(\d+),"status":"([a-z_]+)"\}/#)
            .first { $0.1 == "\(cell)" }.map { String($0.2) }
    }

    /// Repeats a post until it is recorded, as a client would.
    func postUntilRecorded(_ body: String, as kind: APIKey.Kind = .server) async throws {
        for _ in 0..<600 {
            if try await news.post(body, as: kind).status == 200 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("cell 1 did not heal")
    }
}

/// An accepted notification, with its number as id and token.
func acceptedPush(_ number: Int) -> String {
    """
    {"type":"response","notification_id":"\(notificationID(number))","provider":"apns","status":200,\
    "token":"\(tokenValue(number))","campaign":"spring"}
    """
}
