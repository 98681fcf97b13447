internal import DeliveryModel
internal import PostgresClient
internal import Vault

/// The settings that every program of Landfall needs to find its database and to read what is sealed in it.
///
/// The server has further settings; the command line has only these.
public protocol DatabaseSettings: Sendable {
    /// The folder with the private database and the token key, as given: `~/.landfall`.
    var dataFolder: String { get set }
    /// Base64; empty if the key is a file in the data folder.
    var tokenKey: String { get set }
    /// Anything libpq accepts; empty to use the private database.
    var databaseURL: String { get set }
    /// The databases of several cells, instead of `databaseURL`; empty for one cell.
    var databaseCells: CellList { get set }
    /// Off for PgBouncer before 1.21 in transaction mode.
    var preparesStatements: Bool { get set }
    /// Whether Citus keeps the schema of each cell on one of several nodes; the URL is the coordinator's.
    var isDistributed: Bool { get set }
    /// Whether a database that may lose commits is used on purpose.
    var allowsUnsafeDatabase: Bool { get set }
    /// The folder with PostgreSQL's programs; empty to search for it.
    var postgresPrograms: String { get set }
}

extension DatabaseSettings {
    /// The place of each cell, by number: cell 0 alone, in `databaseURL`, unless several are named.
    package var cells: [CellAddress] {
        let cells = databaseCells.addresses
        return cells.isEmpty ? [CellAddress(cell: .front, url: databaseURL, schema: .landfall)] : cells
    }

    /// Whether the private database is used, because no other is named.
    package var usesPrivateDatabase: Bool { databaseURL.isEmpty && databaseCells.addresses.isEmpty }
}

extension Setting where Values: DatabaseSettings {
    public static var data: Setting {
        .text("data", \.dataFolder, "The folder with the private database and the token key.")
    }

    public static var tokenKey: Setting {
        .value(
            "token.key", \.tokenKey, secrecy: .secret,
            expecting: "32 bytes in base64, as openssl rand -base64 32 generates",
            "The key that seals device tokens, 32 bytes in base64; empty: the file token.key in the data folder.",
            text: { $0 }, parse: { text in (try? TokenKey(base64: text)).map { _ in text } })
    }

    public static var databaseURL: Setting {
        .text(
            "database.url", \.databaseURL, flag: "--database", secrecy: .password,
            "A PostgreSQL URL or connection string; empty: a private database in the data folder.")
    }

    public static var databaseCells: Setting {
        .value(
            "database.cells", \.databaseCells, form: .cells, secrecy: .password,
            expecting:
                #"a JSON array such as [{"cell":0,"url":"postgres://…"},{"cell":1,"url":"postgres://…","schema":"landfall_1"}]"#,
            "Several cells instead of one database: a JSON array with the number, URL and schema of each; empty: one, in database.url.",
            text: \.text, parse: { try? CellList($0) }, problems: CellList.problems(in:),
            excluding: "database.url")
    }

    public static var preparedStatements: Setting {
        .toggle(
            "database.prepared_statements", \.preparesStatements,
            "Whether statements are prepared; false behind PgBouncer before 1.21 in transaction mode.")
    }

    public static var distribution: Setting {
        .value(
            "database.distribute", \.isDistributed, expecting: "citus or empty",
            "citus: the database is the coordinator of a Citus cluster, which keeps the schema on one of its nodes.",
            text: { $0 ? "citus" : "" }, parse: { ["": false, "citus": true][$0] })
    }

    public static var allowUnsafe: Setting {
        .toggle(
            "database.allow_unsafe", \.allowsUnsafeDatabase,
            "Start even if fsync or full_page_writes is off in PostgreSQL.")
    }

    public static var postgresPrograms: Setting {
        .text(
            "pg.bin", \.postgresPrograms,
            "The folder with initdb and postgres for the private database; empty: the newest installed version."
        )
    }
}

extension ReadSettings where Values: DatabaseSettings {
    /// The environment for the parts that read it themselves, because the data folder, the token
    /// key and PostgreSQL's programs may come from a flag or a file.
    public func environment(over environment: [String: String]) -> [String: String] {
        [Setting<Values>.data, .tokenKey, .postgresPrograms].reduce(into: environment) {
            environment, setting in
            let isGiven = origin(of: setting) != .standard
            environment[setting.environmentVariable] = isGiven ? setting.read(values) : nil
        }
    }
}
