import Testing

@testable import LandfallServer

/// The order in which passphrases are checked.
@Suite struct TurnsTests {
    /// Adds works named after their caller and number.
    private func add(_ names: [String], to turns: inout Turns<Character, String>) -> [String?] {
        names.map { turns.add($0, of: $0.first ?? "?") }
    }

    /// The order in which works are done, one after the other.
    private func order(_ turns: inout Turns<Character, String>) -> [String] {
        var order: [String] = []
        while let next = turns.begin() {
            order.append(next)
            turns.end()
        }
        return order
    }

    @Test("addresses take turns, however many passphrases one of them sends")
    func turns() {
        var turns = Turns<Character, String>(places: 1, most: 10, mostPerCaller: 4)
        let rejected = add(["a1", "a2", "a3", "a4", "a5", "b1", "c1", "c2"], to: &turns)
        #expect(rejected.compactMap(\.self) == ["a5"])
        #expect(order(&turns) == ["a1", "b1", "c1", "a2", "c2", "a3", "a4"])
    }

    @Test("only as many are done at once as there are places")
    func places() {
        var turns = Turns<Character, String>(places: 2, most: 10, mostPerCaller: 4)
        _ = add(["a1", "a2", "b1"], to: &turns)
        let first = [turns.begin(), turns.begin(), turns.begin()]
        #expect(first == ["a1", "b1", nil])
        turns.end()
        let next = turns.begin()
        #expect(next == "a2")
    }

    @Test("if all places to wait are taken, an address that has several gives way to one that has none")
    func givesWay() {
        var turns = Turns<Character, String>(places: 1, most: 4, mostPerCaller: 4)
        #expect(add(["a1", "a2", "a3", "a4", "b1"], to: &turns) == [nil, nil, nil, nil, "a4"])
        #expect(add(["b2", "c1", "d1"], to: &turns) == ["a3", "a2", "b2"].map { Optional($0) })
        #expect(add(["e1", "a9"], to: &turns) == ["e1", "a9"])
    }
}
