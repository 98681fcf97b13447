internal import Foundation

/// The header row of a CSV table: its separator and the meaning of each column.
struct ImportHeader {
    let separator: UInt8
    /// The names in lower case, without white space at the ends.
    let names: [String]
    let columns: [ImportFields.Column?]

    /// Columns that are not read.
    var ignored: [String] { zip(names, columns).filter { $0.1 == nil }.map(\.0) }

    /// Reads the header, and leaves the bytes after it.
    ///
    /// - Throws: ``TokenImportError`` if no column is named `value`, and what reading throws.
    init(_ bytes: inout ImportBytes) throws {
        let declared = try Self.declaredSeparator(&bytes)
        let line = Array(bytes.restOfLine())
        separator = declared ?? CSVRecords.separator(of: line)
        var records = CSVRecords(bytes, separator: separator)
        names = (try records.next()?.fields ?? []).map(Self.name)
        bytes = records.bytes
        columns = names.map { ImportFields.Column(rawValue: $0) }
        guard columns.contains(.value) else { throw Self.problem(with: names) }
        for (position, column) in columns.enumerated() where column != nil {
            guard columns.firstIndex(of: column) == position else {
                throw TokenImportError.repeatedColumn(names[position])
            }
        }
    }

    /// Whether the row repeats the header, as in a file made of several.
    func isRepeated(in fields: [String]) -> Bool {
        fields.count == names.count && fields.map(Self.name) == names
    }

    private static func name(_ field: String) -> String {
        field.trimmingCharacters(in: .whitespaces.union(CharacterSet(charactersIn: "\u{FEFF}"))).lowercased()
    }

    /// Spreadsheets write a first line `sep=;`.
    private static func declaredSeparator(_ bytes: inout ImportBytes) throws -> UInt8? {
        let line = bytes.restOfLine()
        guard line.count == 5, let separator = line.last,
            String(decoding: line.dropLast(), as: UTF8.self).lowercased() == "sep="
        else { return nil }
        try bytes.skipLine()
        return separator
    }

    private static let namesOfValues = [
        "token", "device_token", "devicetoken", "push_token", "pushtoken", "registration_id",
        "registrationid", "registration_token", "fcm_token", "fcmtoken", "apns_token", "apnstoken",
        "gcm_token", "identifier", "endpoint", "subscription", "address", "push_id",
    ]

    private static func problem(with names: [String]) -> TokenImportError {
        if let name = names.first(where: namesOfValues.contains) { return .otherNameOfValue(name) }
        if names.count == 1, let name = names.first, name.contains(where: { ",;\t|".contains($0) }),
            name.contains("value")
        {
            return .quotedLines
        }
        // The name of a column is short and a word; a token is long.
        if names.contains(where: {
            $0.utf8.count >= 20 && !$0.contains(" ") && $0.contains(where: \.isNumber)
        }) {
            return .noHeader
        }
        return .noValueColumn
    }
}
