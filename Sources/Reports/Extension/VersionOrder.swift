/// The order of versions for people: 7.10 is newer than 7.9.
enum VersionOrder {
    /// Names ascending, versions descending, what is unknown last.
    static func comesBefore(_ left: RowKey, _ right: RowKey) -> Bool {
        for (one, other) in zip(left.parts, right.parts) where one.value != other.value {
            guard let first = one.value else { return false }
            guard let second = other.value else { return true }
            if one.dimension == .platform { return first < second }
            return isNewer(first, than: second)
        }
        return false
    }

    static func isNewer(_ left: String, than right: String) -> Bool {
        let (ones, others) = (pieces(left), pieces(right))
        for (one, other) in zip(ones, others) where one != other {
            if let first = Int(one), let second = Int(other) {
                guard first != second else { continue }
                return first > second
            }
            // 7.3.0 comes after 7.3.0-beta: a word in the place of a number is a step before it.
            if Int(one) != nil || Int(other) != nil { return Int(one) != nil }
            return one > other
        }
        guard ones.count == others.count else {
            let longer = ones.count > others.count ? ones : others
            let goesOnWithNumber = Int(longer[min(ones.count, others.count)]) != nil
            return (ones.count > others.count) == goesOnWithNumber
        }
        return left > right
    }

    private static func pieces(_ version: String) -> [Substring] {
        version.split { $0 == "." || $0 == "-" || $0 == "+" || $0 == "_" || $0 == " " }
    }
}
