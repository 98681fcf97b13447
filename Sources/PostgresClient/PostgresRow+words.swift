/// Columns of a closed vocabulary, such as `TokenState`. A word that this version does not know is an error:
/// it never counts as another.
extension PostgresRow {
    public func get<Word: RawRepresentable<String>>(
        _ column: some PostgresColumn, as type: Word.Type = Word.self
    ) throws(PostgresError) -> Word {
        try Word(known: get(column))
    }

    public func getOptional<Word: RawRepresentable<String>>(
        _ column: some PostgresColumn, as type: Word.Type = Word.self
    ) throws(PostgresError) -> Word? {
        guard let word: String = try getOptional(column) else { return nil }
        return try Word(known: word)
    }
}

extension RawRepresentable<String> {
    /// - Throws: `PostgresError.unexpectedResult` if the vocabulary has no such word.
    public init(known word: String) throws(PostgresError) {
        guard let value = Self(rawValue: word) else {
            throw .unexpectedResult(statement: "\(Self.self)", detail: "unknown value \(word)")
        }
        self = value
    }
}
