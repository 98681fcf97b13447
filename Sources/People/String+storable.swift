internal import Wording

extension String {
    /// The beginning of a text from outside, in one line: PostgreSQL stores no NUL, and a client must not fill the database.
    func storable(_ most: Int) -> String {
        String(String.UnicodeScalarView(controlsEscaped.unicodeScalars.prefix(most)))
    }
}
