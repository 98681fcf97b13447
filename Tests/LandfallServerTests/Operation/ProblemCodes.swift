import Foundation
import Ingestion

@testable import LandfallServer

/// Every code that a response may have.
enum ProblemCodes {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func all() throws -> Set<String> {
        let ofBrowsers = BrowserRequest.Verdict.allCases.filter { $0 != .allowed }.map(\.rawValue)
        return Set(try inSources() + ofBrowsers + ItemRejection.Code.allCases.map(\.rawValue))
    }

    /// The codes in `Problem(.notFound, "not_found", …)`, `.unavailable("overloaded", …)` and
    /// `.unprocessable("too_long", …)`.
    private static func inSources() throws -> [String] {
        let folder = package.appendingPathComponent("Sources/LandfallServer")
        let files =
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            // The console shows its problems as pages, without codes.
            .filter { !$0.pathComponents.contains("Console") } ?? []
        return try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8)
                .matches(
                    of: /(?:Problem\(\s*(?:\.\w+|error\.status),|unavailable\(|unprocessable\()\s*"([a-z_]+)"/
                )
                .map { String($0.1) }
        }
    }
}
