internal import Documents
internal import Instants
internal import Logging
internal import Wording

/// One line of the log. External input cannot start a line of its own: control characters are escaped in both forms.
struct LogLine {
    let instant: Instant
    let level: Logger.Level
    let label: String
    let message: String
    /// Flat and sorted by name: nested values have names with dots.
    let metadata: [(name: String, value: String)]

    init(at instant: Instant, level: Logger.Level, label: String, message: String, metadata: Logger.Metadata)
    {
        self.instant = instant
        self.level = level
        self.label = label
        self.message = message
        self.metadata = Self.flat(metadata, below: "").sorted { $0.name < $1.name }
    }

    /// `{"ts":"2026-03-01T09:30:00.250Z","level":"error","label":"landfall","message":"…","metadata":{"error":"…"}}`
    var json: String {
        let line: JSONValue = [
            "ts": .string(instant.rfc3339), "level": .string(level.rawValue), "label": .string(label),
            "message": .string(message),
            "metadata": .object(metadata.map { .init($0.name, .string($0.value)) }),
        ]
        return line.lineText + "\n"
    }

    /// `2026-03-01T09:30:00.250Z error landfall: message error="…"`
    var text: String {
        let pairs = metadata.map { " \(Self.word($0.name))=\(Self.word($0.value))" }
        return "\(instant.rfc3339) \(level.rawValue) \(label): \(message.controlsEscaped)\(pairs.joined())\n"
    }

    private static func flat(
        _ metadata: Logger.Metadata, below path: String
    ) -> [(name: String, value: String)] {
        metadata.flatMap { name, value -> [(name: String, value: String)] in
            let path = path.isEmpty ? name : "\(path).\(name)"
            return switch value {
            case .dictionary(let nested): flat(nested, below: path)
            default: [(path, value.description)]
            }
        }
    }

    /// The text itself if it is unambiguous, otherwise in quotes.
    private static func word(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            ("!"..."~").contains($0) && !"\"=\\".unicodeScalars.contains($0)
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }

    private static func quoted(_ text: String) -> String {
        JSONValue.string(text).lineText
    }
}
