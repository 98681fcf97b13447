internal import Basics
internal import Foundation

/// The fields of an item under construction: names, and values as JSON text.
struct ItemFields {
    private(set) var fields: [(name: String, json: String)] = []

    subscript(name: String) -> String? {
        get { fields.first { $0.name == name }?.json }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    mutating func add(_ name: String, text: String?, _ random: inout SeededRandom) {
        guard let text else { return }
        self[name] = Self.json(text, &random)
    }

    /// - Parameter instant: milliseconds since 1970.
    mutating func add(_ name: String, instant: Int64?, _ random: inout SeededRandom) {
        guard let instant else { return }
        self[name] = random.chance(percent: 50) ? String(instant) : "\"\(Self.rfc3339(instant, &random))\""
    }

    mutating func add(_ name: String, uuid: UUID?, _ random: inout SeededRandom) {
        guard let text = uuid?.uuidString else { return }
        self[name] = "\"\(random.chance(percent: 50) ? text : text.lowercased())\""
    }

    /// A text in one of the spellings that are the same id: decomposed, with white space, or as a number.
    mutating func add(_ name: String, id: MeantID, _ random: inout SeededRandom) {
        switch id {
        case .uuid(let id): add(name, uuid: id, &random)
        case .text(let text):
            let decomposed = text.decomposedStringWithCanonicalMapping
            add(name, text: random.pick(text, text, decomposed, " \(text)\n", "\u{FEFF}\(text)"), &random)
            if text == Int64(text).map({ "\($0)" }), random.chance(percent: 50) { self[name] = text }
        }
    }

    /// One object on one line, in one of the spellings that JSON allows.
    func text(_ random: inout SeededRandom) -> String {
        var fields = fields.map { "\"\($0.name)\":\(space(&random))\($0.json)" }
        if random.chance(percent: 10) { fields.append(#""extra":{"a":[1,{"b":null}],"c":"]}"}"#) }
        if random.chance(percent: 10), self["variant"] == nil { fields.append(#""variant":null"#) }
        if random.chance(percent: 30) { fields.shuffle(using: &random) }
        return "{\(space(&random))" + fields.joined(separator: ",\(space(&random))") + "\(space(&random))}"
    }

    private func space(_ random: inout SeededRandom) -> String {
        random.chance(percent: 85) ? "" : random.pick(" ", "\t", "  ")
    }

    static func json(_ text: String, _ random: inout SeededRandom) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                json += "\\\(scalar)"
            } else if random.chance(percent: 3) || scalar.value < 0x20 {
                for unit in String(scalar).utf16 { json += "\\u" + hex(unit) }
            } else {
                json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }

    private static func hex(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static func rfc3339(_ instant: Int64, _ random: inout SeededRandom) -> String {
        let (offset, zone) = random.pick((0, "Z"), (0, "z"), (345, "+05:45"), (-210, "-03:30"))
        let milliseconds = instant % 1_000
        var seconds = time_t(instant / 1_000 + Int64(offset) * 60)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let fraction =
            milliseconds == 0 && random.chance(percent: 50) ? "" : String(format: ".%03d", milliseconds)
        return String(
            format: "%04d-%02d-%02dT%02d:%02d:%02d", Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1,
            Int(parts.tm_mday), Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec)) + fraction + zone
    }
}
