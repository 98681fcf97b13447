internal import Basics
internal import Foundation
public import Logging

/// Writes each event as one whole line, so that lines of different threads never mix.
public struct LineLogHandler: LogHandler {
    public var logLevel = Logger.Level.notice
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?

    let label: String
    let isJSON: Bool
    /// Receives one line with its newline.
    let write: @Sendable (String) -> Void

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        if let error = event.error { all["error"] = "\(error)" }
        let line = LogLine(
            at: .now, level: event.level, label: label, message: event.message.description, metadata: all)
        write(isJSON ? line.json : line.text)
    }
}

extension Logger {
    /// The server's logger, configured by the settings: lines on standard error.
    public static func landfall(_ settings: LogSettings) -> Logger {
        let isJSON =
            switch settings.format {
            case .auto: isatty(STDERR_FILENO) != 1
            case .json: true
            case .text: false
            }
        var logger = Logger(label: "landfall") { label in
            LineLogHandler(label: label, isJSON: isJSON) { line in
                // A line that cannot be written is lost: there is nowhere to report it.
                try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
            }
        }
        logger.logLevel = settings.level
        return logger
    }
}

/// One log line. External input cannot start another: control characters are escaped in both forms.
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
        return isPlain && !text.isEmpty ? text : JSONValue.string(text).lineText
    }
}

/// The server's log on standard error.
public struct LogSettings: Sendable, Equatable {
    public enum Format: String, CaseIterable, Sendable {
        /// Text on a terminal, JSON elsewhere.
        case auto
        case text
        case json
    }

    /// The requests that are logged.
    public enum Access: String, CaseIterable, Sendable {
        case on
        case off
        /// Those with a status of 500 or above.
        case errors
    }

    public var level = Logger.Level.notice
    public var format = Format.auto
    public var access = Access.errors

    public init() {}
}
