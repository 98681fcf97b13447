internal import Instants
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
            case .auto: !StandardError.isTerminal
            case .json: true
            case .text: false
            }
        var logger = Logger(label: "landfall") { label in
            LineLogHandler(label: label, isJSON: isJSON, write: StandardError.write)
        }
        logger.logLevel = settings.level
        return logger
    }
}
