import Testing

/// Runs the tests where SwiftPM would otherwise look for XCTest's, for which it needs an index of all sources.
@main enum TestRunner {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
