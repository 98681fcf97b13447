public import SQLFiles

/// A statement with its parameters, ready to be sent.
public struct PostgresStatement: Sendable {
    public let file: SQLFile
    let parameters: [PostgresParameter]

    public init(_ file: SQLFile, _ parameters: [PostgresParameter] = []) {
        self.file = file
        self.parameters = parameters
    }
}
