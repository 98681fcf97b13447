/// Limits the number of tests with a database that run at a time. All at once they would pause so long between two of their lines
/// that servers' time limits expire.
actor TestPlaces {
    static let shared = TestPlaces(count: 16)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) {
        free = count
    }

    func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func give() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}
