import Foundation

/// `openapi.yaml`, read by its indentation: it is written by hand, with two spaces for each level.
struct OpenAPIDocument {
    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/LandfallServer/Resources/openapi.yaml")

    private let lines: [Substring]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    init() throws {
        self.init(try String(contentsOf: Self.file, encoding: .utf8))
    }

    /// The lines below a path of names, such as `components`, `schemas`, `When`.
    func section(_ names: String...) -> [Substring] {
        var found = lines[...]
        for (depth, name) in names.enumerated() {
            let indentation = String(repeating: " ", count: depth * 2)
            guard let start = found.firstIndex(where: { $0 == "\(indentation)\(name):" }) else { return [] }
            found = found[(start + 1)...].prefix { $0.isEmpty || $0.hasPrefix(indentation + " ") }
        }
        return Array(found)
    }

    /// Names below a path of names.
    func names(_ section: [Substring], depth: Int) -> [String] {
        let indentation = String(repeating: " ", count: depth * 2)
        return section.filter { $0.hasPrefix(indentation) && !$0.dropFirst(indentation.count).hasPrefix(" ") }
            .compactMap { $0.wholeMatch(of: #/ *([^: ]+):( \{.*)?/#).map { String($0.1) } }
    }

    /// Every operation, such as `GET /v1/tokens`.
    var operations: [String] {
        let methods = ["get", "put", "post", "delete", "patch", "head", "options", "trace"]
        return names(section("paths"), depth: 1).flatMap { path in
            names(section("paths", path), depth: 2).filter(methods.contains).map {
                "\($0.uppercased()) \(path)"
            }
        }
    }

    /// The parameters of a GET, its own and those it refers to.
    func parameters(of path: String) -> [String] {
        section("paths", path, "get", "parameters").compactMap { line in
            if let own = line.firstMatch(of: #/- name: (\S+)/#) { return String(own.1) }
            guard let reference = line.firstMatch(of: #/components/parameters/(\w+)/#) else { return nil }
            let shared = section("components", "parameters", String(reference.1))
            return shared.compactMap { $0.firstMatch(of: #/^ +name: (\S+)$/#).map { String($0.1) } }.first
        }
    }

    /// The items of a list with one item per line.
    func list(_ section: [Substring]) -> [String] {
        section.compactMap { $0.firstMatch(of: #/^ +- (\w+)$/#).map { String($0.1) } }
    }
}
