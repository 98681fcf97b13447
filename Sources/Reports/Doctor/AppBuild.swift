/// An app's version on a platform.
struct AppBuild: Hashable {
    let platform: String
    let version: String

    /// `ios 7.2.0`.
    var name: String {
        let words = [platform, version].filter { !$0.isEmpty }
        return words.isEmpty ? "(unknown build)" : words.joined(separator: " ")
    }

    var json: [JSONValue.Member] {
        [.init("platform", .string(platform)), .init("app_version", .string(version))]
    }

    /// What keeps this build in other commands.
    var options: [String] {
        (platform.isEmpty ? [] : ["--platform", platform]) + ["--app-version", version]
    }

    /// By the numbers in them: 7.10 is later than 7.9; a pre-release comes before its release.
    func isLater(than other: AppBuild) -> Bool {
        let (own, others) = (Self.numbers(version), Self.numbers(other.version))
        if own != others { return others.lexicographicallyPrecedes(own) }
        return !version.contains("-") && other.version.contains("-")
    }

    /// Zeros at the end say nothing.
    private static func numbers(_ version: String) -> [Int] {
        let release = version.prefix { $0 != "-" && $0 != "+" && $0 != " " }
        var numbers = release.split(separator: ".").map { Int($0.filter(\.isNumber)) ?? 0 }
        while numbers.last == 0 { numbers.removeLast() }
        return numbers
    }
}
