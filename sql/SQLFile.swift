/// One statement of this folder, embedded into the program at build time.
///
/// A file is a chapter about one concern; each section begins with a line `-- name:`. The generated extension
/// has a constant for every statement: `mark_stale` in `sql/tokens/sweep.sql` is `SQLFile.Tokens.markStale`.
/// `SQLFile.all` lists them. `SQLFile.migrations` lists the migrations in order: `sql/schema` as the first,
/// then the files of `sql/migrations`.
///
/// `{{clicked}}` in a statement is the name of a mask in `masks.txt`; the text has its number.
public struct SQLFile: Sendable, Hashable {
    /// The chapter below `sql/` and the statement, e.g. `tokens/sweep/mark_stale`; only the chapter if both
    /// have one name, e.g. `reports/reach`. Errors and prepared statements include it.
    public let name: String
    /// One statement after its name, without lines of comments; a migration may have several, and so may a
    /// script.
    public let text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
