internal import Reports

extension RowKey {
    /// One cell per dimension.
    func cells() -> [TextTable.Cell] {
        parts.map { part in
            var cell = TextTable.Cell(part.text)
            cell.part = part
            return cell
        }
    }
}

extension Dimension {
    static func columns(_ dimensions: [Dimension]) -> [TextTable.Column] {
        dimensions.map { TextTable.Column($0.title, isNumber: false, group: 0, isName: !$0.isPeriod) }
    }
}
