internal import Foundation

/// What became of a request.
enum ServerAnswer: Equatable {
    /// 2xx: it is on disk.
    case taken([UInt8])
    /// It was not taken and may be repeated as it was.
    case putOff(reason: String, retryAfter: Duration?)
    /// Repeating it would be of no use.
    case refused(ServerProblem)

    /// 408, 429 and every 5xx pass. `Retry-After` is read in seconds; a date in it is left to the usual
    /// pause.
    init(status: Int, retryAfter: String?, body: [UInt8]) {
        switch status {
        case 200..<300: self = .taken(body)
        case 408, 429, 500...:
            let problem = ServerProblem(status: status, body: body)
            let seconds = retryAfter.flatMap { Int($0) }.map { min(max($0, 0), 3_600) }
            self = .putOff(reason: problem.description, retryAfter: seconds.map { .seconds($0) })
        default: self = .refused(ServerProblem(status: status, body: body))
        }
    }
}

/// `application/problem+json`, as far as a client needs it (RFC 9457).
struct ServerProblem: Equatable, CustomStringConvertible {
    let status: Int
    /// Nil when the answer was no such document: something else listens there.
    let code: String?
    let detail: String?

    private struct Document: Decodable {
        let code: String?
        let detail: String?
    }

    init(status: Int, body: [UInt8]) {
        let document = try? JSONDecoder().decode(Document.self, from: Data(body))
        self.status = status
        code = document?.code
        detail = document?.detail
    }

    var description: String {
        guard let detail else { return "status \(status)" }
        return "status \(status), \(detail)" + (code.map { " (\($0))" } ?? "")
    }
}
