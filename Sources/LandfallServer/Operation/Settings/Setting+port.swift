internal import Settings

extension Setting {
    /// A port that may be off.
    static func port(_ name: String, _ place: Place<Int?>, _ summary: String) -> Setting {
        value(
            name, place, expecting: "off, or a port from 1 to 65535", summary,
            text: { $0.map { "\($0)" } ?? "off" },
            parse: { text -> Int?? in
                if text.lowercased() == "off" { return .some(nil) }
                guard let port = Int(text), (1...65_535).contains(port) else { return nil }
                return port
            })
    }
}
