/// One SQL file of this folder, embedded into the program at build time.
///
/// The generated extension has a constant for every file: `sql/reports/reach/reach.sql` is `SQLFile.Reports.reach`.
/// `SQLFile.migrations` lists the migrations in order: `sql/schema` as the first, then the files of `sql/migrations`.
public struct SQLFile: Sendable, Hashable {
    /// The path below `sql/` without its ending, e.g. `reports/reach/reach`. Errors and prepared statements include it.
    public let name: String
    /// The text of the file: one statement; a migration may have several.
    public let text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
