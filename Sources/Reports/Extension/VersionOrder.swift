/// The usual order of versions: 7.10 is newer than 7.9, 7.1 equals 7.1.0, 7.3.0 comes after 7.3.0-beta.
enum VersionOrder {
    /// Names ascending, versions descending, unknown values last.
    static func comesBefore(_ left: RowKey, _ right: RowKey) -> Bool {
        for (one, other) in zip(left.parts, right.parts) where one.value != other.value {
            guard let first = one.value else { return false }
            guard let second = other.value else { return true }
            if one.dimension == .platform { return first < second }
            // Two spellings of the same version are always in the same order.
            return isNewer(first, than: second) || (!isNewer(second, than: first) && first > second)
        }
        return false
    }

    static func isNewer(_ left: String, than right: String) -> Bool {
        let (one, other) = (Parts(left), Parts(right))
        for position in 0..<max(one.release.count, other.release.count) {
            // Trailing zeros mean nothing.
            let first = one.release.indices.contains(position) ? one.release[position] : "0"
            let second = other.release.indices.contains(position) ? other.release[position] : "0"
            if let response = isNewer(first, second) { return response }
        }
        for (first, second) in zip(one.rest, other.rest) {
            if let response = isNewer(first, second) { return response }
        }
        let shared = min(one.rest.count, other.rest.count)
        guard let next = (one.rest + other.rest.dropFirst(shared)).dropFirst(shared).first else {
            return false
        }
        // A version that continues with a word comes before the shorter one; with a number, after it.
        return (one.rest.count > other.rest.count) == (Int(next) != nil)
    }

    /// `nil` if both are the same.
    private static func isNewer(_ left: Substring, _ right: Substring) -> Bool? {
        switch (Int(left), Int(right)) {
        case (let first?, let second?): first == second ? nil : first > second
        case (.some, nil): true
        case (nil, .some): false
        case (nil, nil): left == right ? nil : left > right
        }
    }

    /// The parts of a version: `7.3.0` and `beta`, `1` of `7.3.0-beta.1`.
    private struct Parts {
        let release: [Substring]
        let rest: [Substring]

        init(_ version: String) {
            let separators: Set<Character> = ["-", "+", "_", " "]
            release = version.prefix { !separators.contains($0) }.split(separator: ".")
            rest = version.drop { !separators.contains($0) }
                .split { $0 == "." || separators.contains($0) }
        }
    }
}
