internal import Foundation

/// Until when nothing is uploaded, kept in a file so that all processes of the app observe it.
struct Pause {
    enum Reason: String {
        /// The server said so, or failed.
        case server
        /// There was no response. A push that arrives shows that the network is back, so extensions do not
        /// wait.
        case network
        /// The key or the URL is wrong.
        case configuration
    }

    var reason: Reason
    /// In milliseconds since 1970.
    var since: Int64
    var until: Int64
    /// The number of failures in a row.
    var failures: Int64
    /// The fingerprint of the configuration that failed.
    var configuration: String

    static let longest: Int64 = 3_600_000
    static let day: Int64 = 86_400_000

    /// The pause after a failure: as long as the server says, otherwise up to 2^n seconds, at random so that
    /// phones which failed together do not return together.
    ///
    /// - Parameter random: in 0 ..< 1.
    init?(
        after verdict: UploadVerdict, following last: Pause?, configuration: String, now: Int64,
        random: Double
    ) {
        failures = (last?.failures ?? 0) + 1
        self.configuration = configuration
        since = now
        switch verdict {
        case .retry(let seconds?, _):
            reason = .server
            until = now + Int64(min(max(seconds, 1), 86_400)) * 1_000
        case .retry(nil, let isServers):
            reason = isServers ? .server : .network
            let ceiling = min(Double(Self.longest), 1_000 * pow(2, Double(min(failures, 20))))
            until = now + Int64(ceiling * random)
        case .stop:
            reason = .configuration
            until = now + Self.day
        case .recorded, .divide, .erased: return nil
        }
    }

    /// Whether it still holds.
    ///
    /// - Parameter isNetworkNew: something shows that there is a network again, such as a push, or a person
    ///   who opened the app.
    func holds(at now: Int64, configuration: String, isNetworkNew: Bool) -> Bool {
        guard configuration == self.configuration, !(isNetworkNew && reason == .network) else { return false }
        // A clock that was set back must not make a pause longer than it was meant to be.
        return since <= now && now < until
    }
}

extension Pause {
    /// `server 1772000000000 2000 3 9f86d081884c7d65`: reason, since, milliseconds, failures, configuration.
    ///
    /// - Returns: `nil` if it is damaged: a pause is never longer than a day.
    init?(text: String) {
        let words = text.components(separatedBy: " ")
        guard words.count == 5, let reason = Reason(rawValue: words[0]), let since = Int64(digits: words[1]),
            let length = Int64(digits: words[2]), length >= 0, length <= Self.day,
            let failures = Int64(digits: words[3]), failures <= Int32.max
        else { return nil }
        self.reason = reason
        self.since = since
        until = since.addingReportingOverflow(length).partialValue
        self.failures = failures
        configuration = words[4]
    }

    var text: String { "\(reason.rawValue) \(since) \(until - since) \(failures) \(configuration)" }
}

extension Spool {
    private static let pauseFile = "pause"

    var pause: Pause? {
        guard let bytes = contents(Self.pauseFile), let text = String(data: bytes, encoding: .utf8) else {
            return nil
        }
        return Pause(text: text)
    }

    /// - Returns: `false` if the disk does not accept it.
    func store(_ pause: Pause?) -> Bool {
        guard let pause else {
            return unlink(path(Self.pauseFile)) == 0 || errno == ENOENT
        }
        return (try? replace(Self.pauseFile, Data(pause.text.utf8))) != nil
    }
}
