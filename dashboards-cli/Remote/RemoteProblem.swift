internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Why the server of a profile returned no report, and what to do about it.
struct RemoteProblem: Error, Equatable, CustomStringConvertible {
    enum Kind: Equatable {
        case unreachable(reason: String)
        /// The response is not one of Landfall's.
        case notLandfall(status: Int)
        case redirected(to: String)
        case unknownKey
        case otherKind(detail: String)
        /// A mistake in the question.
        case question(detail: String)
        /// The server does not know the report or a parameter that this version sends.
        case older(detail: String)
        case tooMany(seconds: Int?)
        case failed(status: Int, detail: String)
    }

    /// The profile's name.
    let name: String
    let server: String
    let kind: Kind

    var isMistakeInQuestion: Bool { if case .question = kind { true } else { false } }

    var description: String {
        switch kind {
        case .unreachable(let reason):
            "\(server) (profile \(name)) cannot be reached: \(reason). Check the address with landfall config, and "
                + "whether landfall-server is running"
        case .notLandfall(let status):
            "\(server) (profile \(name)) is not a Landfall server, or something in between responded (status "
                + "\(status)): check the address with landfall config"
        case .redirected(let place):
            "\(server) (profile \(name)) redirects to \(place), and the key is not sent there: name that server "
                + "with landfall config set \(name) --server URL"
        case .unknownKey:
            "\(server) does not accept the key of profile \(name): it was revoked, or is another server's. "
                + "landfall key create --kind report, run where the database is, prints a new one, and landfall "
                + "config set \(name) --server \(server) stores it"
        case .otherKind(let detail):
            "\(server) does not accept the key of profile \(name): \(detail). landfall key create --kind report, "
                + "run where the database is, prints one"
        case .question(let detail): detail
        case .older(let detail):
            "\(server) (profile \(name)) does not know this report: \(detail). Its version is older than this "
                + "program's, or the address has a wrong path"
        case .tooMany(let seconds):
            "\(server) gets too many requests with the key of profile \(name): try again in "
                + "\(seconds.map { "\($0) s" } ?? "a minute")"
        case .failed(let status, let detail):
            "\(server) (profile \(name)) could not answer: \(detail) (status \(status))"
        }
    }
}

extension RemoteProblem.Kind {
    /// The reason for a status other than 200.
    init(_ response: HTTPURLResponse, _ body: Data) {
        let problem = ServerProblem(status: response.statusCode, body: Array(body))
        switch (response.statusCode, problem.code, problem.detail) {
        case (300..<400, _, _):
            self = .redirected(to: response.value(forHTTPHeaderField: "Location") ?? "another address")
        case (429, _, _):
            self = .tooMany(seconds: response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) })
        case (_, nil, _), (_, _, nil): self = .notLandfall(status: response.statusCode)
        case (401, _, _): self = .unknownKey
        case (403, _, let detail?): self = .otherKind(detail: detail)
        case (404, _, let detail?), (_, "unknown_parameter", let detail?): self = .older(detail: detail)
        case (400, _, let detail?): self = .question(detail: detail)
        case (_, _, let detail?): self = .failed(status: response.statusCode, detail: detail)
        }
    }
}
