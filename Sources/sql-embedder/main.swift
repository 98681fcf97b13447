// Usage: sql-embedder <folder> <output.swift> [<module to import>]
//
// Writes one Swift file that contains every statement below <folder>. A file is a chapter about one concern:
// each of its sections begins with a line such as `-- name: mark_stale`, and a comment before the first one
// is about the chapter. A file without such lines is one statement, named after the file. The first folder is
// the namespace, and the statement's name is the constant: `recount` in `reports/counters.sql` and in
// `reports/verify/counters.sql` would both be `SQLFile.Reports.recount`, so only one may exist.
//
// `{{arrived}}` in a statement stands for the number of that name in <folder>/masks.txt, or for the section
// of any chapter that begins with `-- part: arrived`. `{{trait($10; known)}}` stands for such a section with
// these arguments instead of its `$1` and `$2`. `{{facts click: known.#}}` stands for the columns that are in
// one of these lists of <folder>/lists.txt, each in the place of `#`, with commas between.
//
// A statement begins with its name, `/* landfall tokens/sweep/mark_stale */`, and has no lines of comments:
// `pg_stat_activity` shows only the beginning. Texts of `schema`, `migrations` and `roles` are as written.
//
// If there is a folder `schema`, `SQLFile.migrations` lists the migrations: `schema` first, then those of
// `migrations` by name; masks have no names there. `SQLFile.all` lists the statements.
import Foundation

func stop(_ reason: String, code: Int32 = 1) -> Never {
    FileHandle.standardError.write(Data("\(reason)\n".utf8))
    exit(code)
}

guard (3...4).contains(CommandLine.arguments.count) else {
    stop("usage: sql-embedder <folder> <output.swift> [<module>]", code: 64)
}
let root = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let output = URL(fileURLWithPath: CommandLine.arguments[2])

/// `record_deliveries` becomes `recordDeliveries` in Swift.
func lowerCamelCase(_ name: some StringProtocol) -> String {
    let words = name.split(separator: "_")
    return words.prefix(1).joined()
        + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
}

/// A raw string literal. No SQL file may contain its delimiter, `"""####`.
func literal(_ text: String, name: some StringProtocol) -> String {
    "SQLFile(name: \"\(name)\", text: ####\"\"\"\n\(text)\n\"\"\"####)"
}

// MARK: - Reading

func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
}

/// The `.sql` files below the root by their paths without the extension, such as `tokens/sweep`.
let texts = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
    .filter { $0.hasSuffix(".sql") }
    .map { (path: String($0.dropLast(4)), text: try text(of: $0)) }

/// The files of one first folder.
func files(in folder: String) -> [(path: String, text: String)] {
    texts.filter { $0.path.hasPrefix("\(folder)/") }
}

func lastPart(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// The words of the lines of a file in the root, without comments (#); none if there is no such file.
func words(of file: String) -> [[String]] {
    ((try? text(of: file)) ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }
        .map { $0.split(separator: " ").map(String.init) }
}

/// The numbers that have names.
let masks: [String: String] = {
    let pairs = words(of: "masks.txt")
    guard pairs.allSatisfy({ $0.count == 2 && Int32($0[1]) != nil }) else {
        stop("masks.txt: a line is not a name and a number")
    }
    return Dictionary(pairs.map { ($0[0], $0[1]) }) { _, _ in stop("masks.txt: a name occurs twice") }
}()

/// The columns that have lists, each followed by its lists.
let listed = words(of: "lists.txt")

/// The parts of a chapter, which statements share, and the rest of its text.
func divided(_ text: String) -> (parts: [(String, String)], rest: String) {
    let part = /\n-- part: (\w+)\n(.*?)(?=\n-- (?:name|part): )/.dotMatchesNewlines()
    let text = "\n\(text)"
    let parts = text.matches(of: part).map { match in
        let lines = match.2.components(separatedBy: "\n").filter { !$0.hasPrefix("--") }
        return (String(match.1), lines.joined(separator: "\n").trimmingCharacters(in: .newlines))
    }
    return (parts, text.replacing(part, with: ""))
}

let parts = Dictionary(texts.flatMap { divided($0.text).parts }) { _, _ in
    stop("two parts have one name")
}

/// The text with parts, numbers and columns instead of their names.
func expanded(_ text: String, of path: String) -> String {
    let name = /\{\{(\w+)\}\}/
    return text.replacing(name) { match -> String in parts[String(match.1)] ?? String(match.0) }
        .replacing(/\{\{(\w+)\(([^{}]*)\)\}\}/) { call -> String in
            guard let part = parts[String(call.1)] else { stop("\(path).sql: no part is named \(call.1)") }
            let arguments = call.2.components(separatedBy: "; ")
            return part.replacing(/\$(\d+)/) { parameter -> String in
                guard let number = Int(parameter.1), arguments.indices.contains(number - 1) else {
                    stop("\(path).sql: \(call.1) needs an argument for \(parameter.0)")
                }
                return arguments[number - 1]
            }
        }
        .replacing(name) { match -> String in
            guard let mask = masks[String(match.1)] else {
                stop("\(path).sql: neither a part nor a mask is named \(match.1)")
            }
            return mask
        }
        .replacing(/\{\{([\w ]+): (.*?)\}\}/) { match -> String in
            let lists = Set(match.1.split(separator: " ").map(String.init))
            let columns = listed.filter { !lists.isDisjoint(with: $0.dropFirst()) }.map { $0[0] }
            guard !columns.isEmpty else { stop("\(path).sql: lists.txt has no list \(match.1)") }
            return columns.map { match.2.replacing("#", with: $0) }.joined(separator: ", ")
        }
}

/// Whether there is anything but comments and empty lines.
func hasStatement(_ text: some StringProtocol) -> Bool {
    text.split(separator: "\n").contains { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("--") }
}

struct Statement {
    let name: String
    /// The chapter and the name, such as `tokens/sweep/mark_stale`; only the chapter if it has the same name.
    let path: String
    let text: String
}

/// The sections of a file, or all of it if it has none.
func statements(of path: String, _ text: String) -> [Statement] {
    let sections = divided(text).rest.components(separatedBy: "\n-- name: ")
    let stem = lastPart(of: path)
    guard sections.count > 1 else {
        return [Statement(name: stem, path: path, text: expanded(text, of: path))]
    }
    guard !hasStatement(sections[0]) else {
        stop("\(path).sql: there is a statement before the first section")
    }
    return sections.dropFirst().map { section in
        let name = String(section.prefix(while: { $0 != "\n" }))
        let text = section.dropFirst(name.count)
        guard hasStatement(text) else { stop("\(path).sql: section \(name) has no statement") }
        return Statement(
            name: name, path: name == stem ? path : "\(path)/\(name)",
            text: expanded(text.trimmingCharacters(in: .newlines) + "\n", of: path))
    }
}

// MARK: - Writing

/// The statement as PostgreSQL gets it.
func sent(_ statement: Statement) -> String {
    guard statement.text.hasPrefix("-- "), !statement.text.contains(/-- (?:name|part):/) else {
        stop("\(statement.path): a statement begins with its comment, and a part is before a statement")
    }
    let lines = statement.text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.drop(while: \.isWhitespace).hasPrefix("--") }
    return "/* landfall \(statement.path) */\n" + lines.joined(separator: "\n")
}

var source = "// Generated by sql-embedder from the files below sql/. Do not edit.\n"
if CommandLine.arguments.count == 4 { source += "public import \(CommandLine.arguments[3])\n" }
source += "extension SQLFile {\n"
let folders = Set(texts.compactMap { $0.path.split(separator: "/").first.map(String.init) })
var constants: [String] = []
for folder in folders.subtracting(["schema", "migrations"]).sorted() {
    let namespace: String = folder.prefix(1).uppercased() + folder.dropFirst()
    var paths: [String: String] = [:]
    source += "public enum \(namespace) {\n"
    for statement in files(in: folder).flatMap({ statements(of: $0.path, $0.text) }) {
        if let other = paths.updateValue(statement.path, forKey: statement.name) {
            stop("\(other) and \(statement.path): two statements of \(folder) have one name")
        }
        let constant = lowerCamelCase(statement.name)
        let text = folder == "roles" ? statement.text : sent(statement)
        source += "public static let \(constant) = \(literal(text, name: statement.path))\n"
        constants.append("\(namespace).\(constant)")
    }
    source += "}\n"
}
if folders.contains("schema") {
    let schema = files(in: "schema").map(\.text).joined(separator: "\n")
    let migrations =
        [literal(schema, name: "v001_schema")]
        + files(in: "migrations").map { literal($0.text, name: lastPart(of: $0.path)) }
    source += "public static let migrations: [SQLFile] = [\n\(migrations.joined(separator: ",\n"))\n]\n"
    source += "public static let all: [SQLFile] = [\n\(constants.joined(separator: ",\n"))\n]\n"
}
source += "}\n"
try source.write(to: output, atomically: true, encoding: .utf8)
