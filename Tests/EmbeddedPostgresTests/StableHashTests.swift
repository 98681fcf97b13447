import Testing

@testable import EmbeddedPostgres

@Suite("Short names for long paths")
struct StableHashTests {
    /// From the test vectors of the FNV reference code.
    @Test(
        "are those of FNV-1a",
        arguments: [("", "cbf29ce484222325"), ("foobar", "85944171f73967e8")])
    func vectors(text: String, expected: String) {
        #expect(stableHash(of: text) == expected)
    }
}
