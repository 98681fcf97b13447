/// The number of a cell: a complete Landfall schema with its own apps. 0 to 255.
package struct CellNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The cell that also holds people, their sessions and the directory of apps.
    package static let front = CellNumber(number: 0)
    package static let greatest = 255

    package let number: Int

    private init(number: Int) {
        self.number = number
    }

    /// - Returns: `nil` unless `number` is 0 to 255.
    package init?(_ number: Int) {
        guard (0...Self.greatest).contains(number) else { return nil }
        self.number = number
    }

    package static func < (left: CellNumber, right: CellNumber) -> Bool { left.number < right.number }

    package var description: String { String(number) }
}

extension JSONValue {
    /// The object with the number of the cell that it is about, if there are several.
    package func of(_ cell: CellNumber?) -> JSONValue {
        guard let cell, case .object(let members) = self else { return self }
        return .object([.init("cell", .integer(Int64(cell.number)))] + members)
    }
}
