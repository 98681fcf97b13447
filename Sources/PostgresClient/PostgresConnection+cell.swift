extension PostgresConnection {
    /// The setting with the number of the cell whose schema it is, in one byte. Cell 0's schema has none.
    package static let cellSetting = "cell"

    /// The number of the cell whose schema this connection uses.
    package func storedCell() throws(PostgresError) -> UInt8 {
        try query(.Administration.readSetting, [.value(Self.cellSetting)])
            .first?.get("value", as: [UInt8].self).first ?? 0
    }
}
