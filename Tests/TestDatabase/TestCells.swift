internal import Foundation

/// The cells among which a test's rows are divided.
public enum TestCells: String, Sendable {
    /// Cell 0 alone.
    case one
    /// Cells 0 and 1 in two schemas of one database.
    case two
    /// Cells 0 and 1 in two databases.
    case databases

    /// `one`, unless `LANDFALL_TEST_CELLS` names another.
    public static let chosen: TestCells = {
        let name = ProcessInfo.processInfo.environment["LANDFALL_TEST_CELLS"] ?? ""
        guard let cells = TestCells(rawValue: name.isEmpty ? "one" : name) else {
            fatalError("LANDFALL_TEST_CELLS must be one, two or databases, not \(name)")
        }
        return cells
    }()

    /// How many tests with a database may run at a time. A server has twelve connections to each cell.
    var places: Int { self == .one ? 16 : 8 }

    /// The name of cell 0's database next to the test's own.
    func front(of name: String) -> String { self == .databases ? "\(name)_front" : name }
}
