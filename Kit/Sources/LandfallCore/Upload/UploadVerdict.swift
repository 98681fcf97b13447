internal import Foundation

/// What a response means for the events of its request. Pure: the table in `UploadVerdictTests` is the
/// specification.
enum UploadVerdict: Equatable {
    /// The server has all of them: recorded, known before, or rejected with a reason and in quarantine.
    case recorded(rejected: [String])
    /// Keep them, and try again later: after as many seconds if the server said so.
    case retry(after: Int?, isServers: Bool)
    /// Keep them until the configuration changes, or a day has passed: the key is revoked or of the wrong
    /// kind, or the URL is not Landfall's.
    case stop(code: String)
    /// Too many, too large or malformed together: post them in smaller numbers, and drop the one that is to
    /// blame.
    case divide(code: String)
    /// The device was erased on request: forget its id and its events.
    case erased

    /// - Parameters:
    ///   - response: `nil` if there was none.
    ///   - events: the number of events in the request.
    init(_ response: Response?, events: Int) {
        guard let response else {
            self = .retry(after: nil, isServers: false)
            return
        }
        guard response.status != 200 else {
            self = Self.recorded(response, events: events) ?? .retry(after: nil, isServers: false)
            return
        }
        guard let code = response.problemCode else {
            // A proxy's error, or the page of a network that wants its user to sign in first.
            self =
                response.status == 413
                ? .divide(code: "413") : .retry(after: response.retryAfter, isServers: response.status >= 429)
            return
        }
        switch response.status {
        case 410: self = .erased
        case 401, 403, 404, 405: self = .stop(code: code)
        case 400, 413, 415, 422: self = .divide(code: code)
        default: self = .retry(after: response.retryAfter, isServers: true)
        }
    }

    /// `nil` unless the response accounts for every event: any other 200 is not Landfall's.
    private static func recorded(_ response: Response, events: Int) -> Self? {
        guard let object = response.object, let accepted = object["accepted"] as? Int,
            let duplicates = object["duplicates"] as? Int, let rejected = object["rejected"] as? Int,
            // The sum of other numbers might overflow.
            [accepted, duplicates, rejected].allSatisfy({ (0...events).contains($0) }),
            accepted + duplicates + rejected == events
        else { return nil }
        let errors = object["errors"] as? [[String: Any]] ?? []
        return .recorded(rejected: errors.map { $0["code"] as? String ?? "unknown" })
    }
}
