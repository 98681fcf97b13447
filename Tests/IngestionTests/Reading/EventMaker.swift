import Basics

@testable import Ingestion

/// Makes items as senders could post them, and some that none should.
struct EventMaker {
    private var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// An object of some known and unknown fields, in any order, with values of right and wrong types.
    mutating func item() -> [UInt8] {
        var fields = PostedField.allCases.filter { _ in chance(3) }.map { "\(name($0)):\(value(for: $0))" }
        if chance(2) { fields.append("\(string()):\(value(depth: 0))") }
        fields.shuffle(using: &random)
        return Array(
            "\(space()){\(space())\(fields.joined(separator: "\(space()),\(space())"))}\(space())".utf8)
    }

    /// The item with some bytes changed, dropped, doubled or inserted.
    mutating func mutated(_ item: [UInt8]) -> [UInt8] {
        let alphabet =
            Array(#"{}[]",:\u0123456789eE+-.truefalsn /'"#.utf8) + [0, 9, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF4]
        var item = item
        for _ in 0...Int.random(in: 0...2, using: &random) where !item.isEmpty {
            let position = Int.random(in: item.indices, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0: item[position] = pick(alphabet)
            case 1: item.remove(at: position)
            case 2: item.insert(pick(alphabet), at: position)
            default: item.insert(item[position], at: position)
            }
        }
        return item
    }

    private mutating func name(_ field: PostedField) -> String {
        guard chance(8) else { return "\"\(field.name)\"\(space())" }
        return "\"\(field.name.map { chance(2) ? "\($0)" : escaped($0) }.joined())\""
    }

    private func escaped(_ character: Character) -> String {
        character.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private mutating func value(for field: PostedField) -> String {
        guard !chance(20) else { return value(depth: 0) }
        return switch field {
        case .status, .priority, .dropped:
            chance(3) ? pick([#""200""#, #""ok""#, #""error""#, #""007""#]) : number()
        case .mutableContent, .contentAvailable, .final, .tokenMalformed, .hasText, .shared:
            pick(["true", "false"])
        case .error: chance(2) ? string() : value(depth: 0)
        case .sentAt, .timestamp, .expiresAt, .occurredAt, .reportedAt:
            chance(2)
                ? number() : pick([#""2026-02-25T06:13:20Z""#, #""2026-02-25T06:13:20.5+01:00""#, string()])
        case .notificationID, .messageID, .deviceID:
            pick([
                "\"6f9619ff-8b86-4011-b42d-00cf4fc964ff\"", "\"6F9619FF-8B86-7011-B42D-00CF4FC964FF\"",
                string(),
            ])
        default: string()
        }
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0...(depth < 4 ? 6 : 4), using: &random) {
        case 0: return "null"
        case 1: return pick(["true", "false"])
        case 2, 3: return number()
        case 4: return string()
        case 5:
            return "[\(values(depth).joined(separator: ","))\(space())]"
        default:
            return "{\(values(depth).map { "\(string())\(space()):\($0)" }.joined(separator: ","))}"
        }
    }

    private mutating func values(_ depth: Int) -> [String] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in space() + value(depth: depth + 1) }
    }

    private mutating func number() -> String {
        pick([
            "0", "-0", "200", "1772000000000", "1772000000", "1230768000000", "1230767999999", "200.0", "2e2",
            "2.5E+3", "1.5", "-7", "15e-1",
            "9223372036854775807",
            "-9223372036854775808", "9223372036854775808", "\(Int.random(in: -99...999, using: &random))",
        ])
    }

    private mutating func string() -> String {
        let characters: [Character] = ["a", "Z", "7", " ", "/", "é", "語", "😀", "\u{7F}"]
        let parts = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            switch Int.random(in: 0...9, using: &random) {
            case 0: pick([#"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#])
            case 1: escaped(pick(characters))
            default: "\(pick(characters))"
            }
        }
        return "\"\(parts.joined())\""
    }

    private mutating func space() -> String { pick(["", "", "", " ", "\n", "\t\r "]) }

    private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &random) == 0 }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: choices.indices, using: &random)]
    }
}
