internal import Foundation
public import PostgresClient

/// Every connection of a test, in this process or another, is in the schema of the test's database.
extension TestDatabase {
    /// `landfall`, or `landfall_other` if `LANDFALL_TEST_SCHEMA` is `other`.
    public static let schema: SchemaName = {
        guard let name = ProcessInfo.processInfo.environment["LANDFALL_TEST_SCHEMA"], !name.isEmpty else {
            return .landfall
        }
        guard let schema = SchemaName("landfall_\(name)") else {
            fatalError("LANDFALL_TEST_SCHEMA must be the end of a schema's name, not \(name)")
        }
        return schema
    }()

    public static var isInOtherSchema: Bool { schema != .landfall }

    public func connect(
        preparesStatements: Bool = true, statementObserver: StatementObserver? = nil
    ) throws(PostgresError) -> PostgresConnection {
        try Self.connect(
            to: url, preparesStatements: preparesStatements, statementObserver: statementObserver)
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
        Self.configuration(of: url, size: size, preparesStatements: preparesStatements)
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
        isInOtherSchema ? ["LANDFALL_DATABASE_CELLS": cells(naming: url)] : ["LANDFALL_DATABASE_URL": url]
    }

    /// The options that lead a program to the database, where the environment is not the test's own.
    public var options: [String] {
        get throws {
            guard Self.isInOtherSchema else { return ["--database", url] }
            let text = #"{"database": {"cells": \#(Self.cells(naming: url))}}"#
            try Data(text.utf8).write(to: configurationFile)
            return ["--config", configurationFile.path]
        }
    }

    /// The file of ``options``, which is removed with the database.
    var configurationFile: URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("landfall-\(name).json")
    }

    /// The setting `database.cells`.
    ///
    /// - Parameter url: as for ``connect(to:preparesStatements:statementObserver:)``.
    public static func cells(naming url: String) -> String {
        #"[{"cell":0,"url":"\#(url)","schema":"\#(schema)"}]"#
    }
}
