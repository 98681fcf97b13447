/// A value with smaller variants.
protocol Shrinkable {
    /// The variants, each with one part removed, the largest parts first.
    var smaller: [Self] { get }
}

/// Finds a smaller history that also fails: removes parts as long as it still does.
struct Shrinking<Played: Shrinkable> {
    private let original: Played
    /// Returns the differences from the expected result; empty if there are none.
    private let differences: (Played) async throws -> [String]

    init(of history: Played, _ differences: @escaping (Played) async throws -> [String]) {
        original = history
        self.differences = differences
    }

    /// Returns the smallest failing history found; `nil` if the history passes when it is played alone.
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
