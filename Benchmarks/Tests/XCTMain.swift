import Testing

/// Runs the tests where SwiftPM would otherwise look for those of XCTest, for which it needs an index of all
/// sources. There are none.
@main enum TestRunner {
    static func main() async {
        guard !CommandLine.arguments.contains("--dump-tests-json") else { return print(#"{"tests":[]}"#) }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
