internal import Access
internal import ArgumentParser
internal import Reports

extension CompletionKind {
    /// The apps in the database.
    static let apps = custom { words, _, _ in
        CompletedLine(words).read { try AppDirectory($0).apps().map(\.slug) }
    }

    /// One dimension, or several with commas between them.
    static let dimensions = custom { (_: [String], _: Int, prefix: String) in
        let chosen = prefix.split(separator: ",", omittingEmptySubsequences: false).dropLast().map(
            String.init)
        return Dimension.allCases.map(\.rawValue).filter { !chosen.contains($0) }
            .map { (chosen + [$0]).joined(separator: ",") }
    }

    /// The values of a dimension that the app has had: campaigns, topics, …
    static func values(of dimension: Dimension) -> CompletionKind {
        custom { (words: [String], _: Int, _: String) async -> [String] in
            await CompletedLine(words).values(of: dimension).filter { !$0.isEmpty }
        }
    }
}
