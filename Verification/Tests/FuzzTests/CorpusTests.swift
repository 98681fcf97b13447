import Foundation
import FuzzChecks
import Testing

/// The fuzzers' initial inputs and earlier finds, as ordinary tests.
struct CorpusTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fuzz/corpus")

    @Test(
        "what must hold for any bytes holds for the corpus, and for every prefix of its inputs",
        arguments: FuzzTarget.allCases)
    func corpus(of target: FuzzTarget) throws {
        let folder = Self.corpus.appendingPathComponent(target.rawValue)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            for length in stride(from: bytes.count, through: 0, by: -max(1, bytes.count / 64)) {
                #expect(throws: Never.self, "\(file.lastPathComponent), \(length) bytes") {
                    try target.check(Array(bytes.prefix(length)))
                }
            }
        }
    }
}
