package import DeliveryModel

/// The reason an app cannot be moved. Nothing was lost, and the app is where it was.
package enum AppMoveError: Error, Equatable, Sendable, CustomStringConvertible {
    case notHere(String, CellNumber)
    case notMigrated(CellNumber)
    case otherTokenKey(CellNumber)
    case slugTaken(String, CellNumber)
    /// The cell still has rows of the app from a move away from it.
    case notConfirmed(CellNumber)
    /// The cell keeps notifications that the other one has dropped.
    case otherRetention(CellNumber)
    /// The cell has a day that was closed for an archive, and is not dropped yet.
    case closedDay(CellNumber)
    /// A transaction that writes, or a backup, takes too long: the same call may succeed later.
    case busy
    case unequal(String)
    case differs(CellNumber, count: Int64)
    case inProgress(cell: Int32)
    case aborted
    case nothingToAbort
    case notMoved
    case isThere

    package var description: String {
        switch self {
        case .notHere(let slug, let cell): "cell \(cell) has no app '\(slug)'"
        case .notMigrated(let cell):
            "cell \(cell) does not have the same migrations: migrate both cells with this version (landfall migrate)"
        case .otherTokenKey(let cell):
            "the tokens of cell \(cell) are sealed with another token key: an app moves between cells with the same one"
        case .slugTaken(let slug, let cell): "cell \(cell) has another app '\(slug)'"
        case .notConfirmed(let cell):
            "cell \(cell) still has the app's rows from when it left: remove them first (landfall app move --confirm)"
        case .otherRetention(let cell):
            "cell \(cell) still keeps notifications of days that the other cell has dropped: wait until its "
                + "maintenance has dropped them (if it has the same retention), or choose another cell"
        case .closedDay(let cell):
            "a day of cell \(cell) is closed, but not archived yet: finish that first (landfall archive --drop)"
        case .busy: "a backup or another long transaction is running in the app's cell: try again later"
        case .unequal(let table):
            "the copy of \(table) differs from the original: nothing was changed. Please report this"
        case .differs(let cell, let count):
            "the app's counters in cell \(cell) differ from its rows (\(count) differences; landfall verify shows "
                + "them): the app stays where it is"
        case .inProgress(let cell):
            "a move to or from cell \(cell) is in progress: finish it with --to \(cell) --apply, or end it with --abort"
        case .aborted: "the move was aborted meanwhile"
        case .nothingToAbort:
            "no cell that can be reached has a move of this app that can be aborted"
        case .notMoved: "the app has not moved to this cell, so nothing may be removed"
        case .isThere: "the app is in this cell, and no other has rows of it"
        }
    }
}
