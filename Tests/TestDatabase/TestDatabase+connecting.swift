package import DeliveryModel
internal import Foundation
public import PostgresClient

/// Every connection of a test, in this process or another, is in the schema of the test's database.
extension TestDatabase {
    /// The schema of the cell in which a test's apps are: `landfall`, unless `LANDFALL_TEST_SCHEMA` is
    /// `other` (`landfall_other`) or `LANDFALL_TEST_CELLS` is `two` (`landfall_1`).
    public static let schema: SchemaName = {
        let ending = ProcessInfo.processInfo.environment["LANDFALL_TEST_SCHEMA"] ?? ""
        let name =
            switch (TestCells.chosen, ending) {
            case (.one, ""), (.databases, ""): SchemaName.landfall.text
            case (.one, _): "landfall_\(ending)"
            case (.two, ""): "landfall_1"
            case (.two, _), (.databases, _): ""
            }
        guard let schema = SchemaName(name) else {
            fatalError(
                "LANDFALL_TEST_SCHEMA must be the end of a schema's name, not \(ending), and needs one cell")
        }
        return schema
    }()

    /// Whether the schema is cell 1's, and people and the directory of apps are in ``front``.
    public static var hasSeveralCells: Bool { TestCells.chosen != .one }

    /// Whether programs need the setting `database.cells` to find the schema.
    public static var needsCellSetting: Bool { schema != .landfall || hasSeveralCells }

    /// The cell in which a test's apps are.
    package static var cell: CellNumber { hasSeveralCells ? CellNumber(1) ?? .front : .front }

    public func connect(
        preparesStatements: Bool = true, statementObserver: StatementObserver? = nil
    ) throws(PostgresError) -> PostgresConnection {
        try PostgresConnection(
            url: url, schema: schema, preparesStatements: preparesStatements,
            statementObserver: statementObserver)
    }

    /// - Parameter url: leads to the test's database in another way, such as through a proxy, or to a
    ///   database of a cluster of the test's own.
    public static func connect(
        to url: String, preparesStatements: Bool = true, statementObserver: StatementObserver? = nil
    ) throws(PostgresError) -> PostgresConnection {
        try PostgresConnection(
            url: url, schema: schema, preparesStatements: preparesStatements,
            statementObserver: statementObserver)
    }

    public func configuration(size: Int, preparesStatements: Bool = true) -> PostgresPool.Configuration {
        PostgresPool.Configuration(
            url: url, schema: schema, size: size, preparesStatements: preparesStatements)
    }

    /// - Parameter url: as for ``connect(to:preparesStatements:statementObserver:)``.
    public static func configuration(
        of url: String, size: Int, preparesStatements: Bool = true
    ) -> PostgresPool.Configuration {
        PostgresPool.Configuration(
            url: url, schema: schema, size: size, preparesStatements: preparesStatements)
    }

    /// The environment that leads a program to the database.
    public var variables: [String: String] { Self.variables(naming: url) }

    /// - Parameter url: as for ``connect(to:preparesStatements:statementObserver:)``.
    public static func variables(naming url: String) -> [String: String] {
        needsCellSetting ? ["LANDFALL_DATABASE_CELLS": cells(naming: url)] : ["LANDFALL_DATABASE_URL": url]
    }

    /// The options that lead a program to the database, where the environment is not the test's own.
    public var options: [String] {
        get throws {
            guard Self.needsCellSetting else { return ["--database", url] }
            let text = #"{"database": {"cells": \#(Self.cells(naming: url))}}"#
            try Data(text.utf8).write(to: configurationFile)
            return ["--config", configurationFile.path]
        }
    }

    /// The file of ``options``, which is removed with the database.
    var configurationFile: URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("landfall-\(name).json")
    }

    /// The options that name the test's cell, for commands that need them if there are several.
    public static var cellOptions: [String] { hasSeveralCells ? ["--cell", "\(cell)"] : [] }

    /// The setting `database.cells`.
    ///
    /// - Parameter url: as for ``connect(to:preparesStatements:statementObserver:)``. If there are several
    ///   cells, all are reached in this way.
    public static func cells(naming url: String) -> String {
        let front = hasSeveralCells ? #"{"cell":0,"url":"\#(Self.front(of: url))"},"# : ""
        return #"[\#(front){"cell":\#(cell),"url":"\#(url)","schema":"\#(schema)"}]"#
    }

    /// The connection string of cell 0 next to that of the test's own. Of two names of a database, the last
    /// one counts.
    static func front(of url: String) -> String {
        let option = url.split(separator: " ").last { $0.hasPrefix("dbname=") } ?? "dbname=none"
        return TestCells.chosen == .databases ? "\(url) \(TestCells.chosen.front(of: String(option)))" : url
    }
}
