/// Limits the number of tests with a database that run at a time. All at once they would pause so long
/// between two of their lines that servers' time limits expire. Tests that take minutes go first, so that the
/// run does not end with one of them alone.
actor TestPlaces {
    static let shared = TestPlaces(count: TestCells.chosen.places)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var waitingLong: [CheckedContinuation<Void, Never>] = []

    init(count: Int) {
        free = count
    }

    func take(isLong: Bool) async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { if isLong { waitingLong.append($0) } else { waiting.append($0) } }
    }

    func give() {
        guard waitingLong.isEmpty else { return waitingLong.removeFirst().resume() }
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}
