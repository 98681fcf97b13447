/// What has smaller ones of its kind.
protocol Shrinkable {
    /// Each with something taken away, the greatest parts first.
    var smaller: [Self] { get }
}

/// Finds a smaller history that comes out wrong as well: takes away parts as long as it still does.
struct Shrinking<Played: Shrinkable> {
    private let original: Played
    /// What comes out wrong; empty when all is well.
    private let differences: (Played) async throws -> [String]

    init(of history: Played, _ differences: @escaping (Played) async throws -> [String]) {
        original = history
        self.differences = differences
    }

    /// Nil when the history comes out right when it is played alone.
    func run() async throws -> (history: Played, differences: [String])? {
        var found = try await differences(original)
        guard !found.isEmpty else { return nil }
        var smallest = original
        var hasShrunk = true
        while hasShrunk {
            hasShrunk = false
            for candidate in smallest.smaller {
                let candidateFound = try await differences(candidate)
                guard !candidateFound.isEmpty else { continue }
                smallest = candidate
                found = candidateFound
                hasShrunk = true
                break
            }
        }
        return (smallest, found)
    }
}

extension History: Shrinkable {
    /// The history without one of its steps, then without one of its items.
    var smaller: [History] {
        var smaller: [History] = []
        for position in steps.indices {
            var history = self
            history.steps.remove(at: position)
            smaller.append(history)
        }
        for (position, step) in steps.enumerated() {
            guard case .post(let request) = step, request.items.count > 1 else { continue }
            for index in request.items.indices {
                var history = self
                var less = request
                less.items.remove(at: index)
                history.steps[position] = .post(less)
                smaller.append(history)
            }
        }
        return smaller
    }
}
