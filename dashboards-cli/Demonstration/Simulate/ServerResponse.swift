internal import Foundation

/// The outcome of a request.
enum ServerResponse: Equatable {
    /// 2xx: the events are on disk.
    case taken([UInt8])
    /// The request was not accepted and may be repeated unchanged. Without a status, there was no response.
    case putOff(status: Int?, reason: String, retryAfter: Duration?)
    /// It would be useless to repeat the request.
    case rejected(ServerProblem)

    /// 408, 429 and every 5xx are temporary. `Retry-After` is read in seconds; if it is a date, the usual pause applies.
    init(status: Int, retryAfter: String?, body: [UInt8]) {
        switch status {
        case 200..<300: self = .taken(body)
        case 408, 429, 500...:
            let problem = ServerProblem(status: status, body: body)
            let seconds = retryAfter.flatMap { Int($0) }.map { min(max($0, 0), 3_600) }
            self = .putOff(
                status: status, reason: problem.description, retryAfter: seconds.map { .seconds($0) })
        default: self = .rejected(ServerProblem(status: status, body: body))
        }
    }
}

/// The parts of `application/problem+json` (RFC 9457) that a client needs.
struct ServerProblem: Equatable, CustomStringConvertible {
    let status: Int
    /// `nil` if the response is not such a document, so that the address is not a Landfall server's.
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
