internal import Logging

/// Writes a line for each request, for each failed request, or none, as set.
struct AccessLog: Sendable {
    struct Entry {
        let route: String
        let method: String
        let status: Int
        let elapsed: Duration
        /// As stated in the head, before unpacking; `nil` for a body without a stated length.
        let bytesIn: Int?
        let bytesOut: Int?
        let keyID: Int64?
        let requestID: String
    }

    private let choice: LogSettings.Access
    private let errors: ErrorLines
    private let logger: Logger

    /// The lines are written whatever the level of the other lines is.
    ///
    /// - Parameter errors: limits the lines of failed requests, unless all requests are logged.
    init(_ choice: LogSettings.Access, errors: ErrorLines, logger: Logger) {
        self.choice = choice
        self.errors = errors
        var logger = logger
        logger.logLevel = min(logger.logLevel, choice == .on ? .info : .error)
        self.logger = logger
    }

    func note(_ entry: Entry) {
        let isError = entry.status >= 500
        switch choice {
        case .off: break
        case .errors: if isError { errors.write("request", entry.metadata, to: logger) }
        case .on: logger.log(level: isError ? .error : .info, "request", metadata: entry.metadata)
        }
    }
}

extension AccessLog.Entry {
    var metadata: Logger.Metadata {
        let optional: [(String, Int64?)] = [
            ("bytes_in", bytesIn.map(Int64.init)), ("bytes_out", bytesOut.map(Int64.init)), ("key_id", keyID),
        ]
        let milliseconds = Double(elapsed.nanoseconds / 1_000) / 1_000
        var metadata: Logger.Metadata = [
            "route": "\(route)", "method": "\(method)", "status": "\(status)",
            "milliseconds": "\(milliseconds)", "request_id": "\(requestID)",
        ]
        for case (let name, let value?) in optional { metadata[name] = "\(value)" }
        return metadata
    }
}
