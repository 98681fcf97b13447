internal import Settings

extension Setting {
    /// Requests per second and burst, or off.
    static func rate(_ name: String, _ place: Place<RateLimit?>, _ summary: String) -> Setting {
        value(
            name, place, expecting: "off, or requests per second and burst, such as 20/100", summary,
            text: { $0.map { "\(plain($0.perSecond))/\($0.burst)" } ?? "off" },
            parse: { text -> RateLimit?? in
                if text.lowercased() == "off" { return .some(nil) }
                let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
                guard numbers.count == 2, let perSecond = Double(numbers[0]), let burst = Int(numbers[1]),
                    (0.001...1_000_000).contains(perSecond), (1...1_000_000).contains(burst)
                else { return nil }
                return RateLimit(perSecond: perSecond, burst: burst)
            })
    }
}
