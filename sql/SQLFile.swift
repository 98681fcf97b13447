/// One SQL file of this folder, embedded into the program when it is built.
///
/// The generated extension names every file: `sql/reports/funnel.sql` is `SQLFile.Reports.funnel`, and
/// `SQLFile.migrations` lists what is applied, in this order: `sql/schema` as one migration, then the files of `sql/migrations`.
public struct SQLFile: Sendable, Hashable {
    /// The path below `sql/` without its ending, e.g. `reports/funnel`. Errors and prepared statements carry it.
    public let name: String
    /// The text of the file, one statement (a migration may hold several).
    public let text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
