import Foundation
import PackagePlugin

/// Turns every statement below the package's `sql/` into a Swift constant at build time, so that the
/// programs contain their statements and a misspelled name is a compile error.
@main
struct EmbedSQL: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL.appending(path: "sql")
        let output = context.pluginWorkDirectoryURL.appending(path: "SQLFiles.generated.swift")
        return [
            .buildCommand(
                displayName: "Embedding SQL files",
                executable: try context.tool(named: "sql-embedder").url,
                arguments: [root.path(), output.path()] + (target.name == "SQLFiles" ? [] : ["SQLFiles"]),
                inputFiles: inputFiles(below: root),
                outputFiles: [output]
            )
        ]
    }

    /// The chapters, and the masks if there are any.
    private func inputFiles(below root: URL) -> [URL] {
        let enumerator = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        return (enumerator?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { ["sql", "txt"].contains($0.pathExtension) }
    }
}
