/// The name that was probably meant: the one with the fewest edits; `nil` if these are more than a
/// third of its letters (at least two), because a far-fetched suggestion is worse than none.
public func closestName(to typed: String, among names: [String]) -> String? {
    let candidates = names.map { (name: $0, distance: editDistance(typed.lowercased(), $0.lowercased())) }
    guard let best = candidates.min(by: { $0.distance < $1.distance }),
        best.distance <= max(2, best.name.count / 3), best.distance < best.name.count
    else { return nil }
    return best.name
}

/// The Levenshtein distance: insertions, removals and replacements of one character.
public func editDistance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (line, character) in left.enumerated() {
        var diagonal = row[0]
        row[0] = line + 1
        for column in right.indices {
            let replaced = diagonal + (right[column] == character ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
        }
    }
    return row[right.count]
}
