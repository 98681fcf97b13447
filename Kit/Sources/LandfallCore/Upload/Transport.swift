public import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A request to the server.
public struct Request: Sendable {
    public let method: String
    public let url: URL
    public let headers: [String: String]
    public let body: Data?

    public init(_ method: String, _ url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// Its response.
public struct Response: Sendable {
    public let status: Int
    /// `Retry-After`, if it is a number of seconds.
    public let retryAfter: Int?
    public let body: Data

    public init(status: Int, retryAfter: Int? = nil, body: Data = Data()) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }

    /// The body as a JSON object; `nil` if it is none, as on a network that answers with a page of its own.
    package var object: [String: Any]? { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] }

    /// The code of one of Landfall's errors; `nil` if the response is not Landfall's.
    package var problemCode: String? { object?["code"] as? String }
}

/// What carries requests.
public protocol Transport: Sendable {
    /// - Returns: `nil` if there was no complete response within this many seconds.
    func send(_ request: Request, within seconds: TimeInterval) async -> Response?
}

/// `URLSession`, without cookies, cache and redirects.
public final class SessionTransport: Transport {
    /// Made for the first request: an arrival is on disk before.
    private let session = Locked<URLSession?>(nil)

    public init() {}

    private static func makeSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = 1
        return URLSession(configuration: configuration, delegate: Redirects(), delegateQueue: nil)
    }

    deinit { session.use { $0?.finishTasksAndInvalidate() } }

    public func send(_ request: Request, within seconds: TimeInterval) async -> Response? {
        var sent = URLRequest(url: request.url, timeoutInterval: seconds)
        sent.httpMethod = request.method
        sent.httpBody = request.body
        for (name, value) in request.headers { sent.setValue(value, forHTTPHeaderField: name) }
        let session = session.use { session in
            let made = session ?? Self.makeSession()
            session = made
            return made
        }
        return await withCheckedContinuation { continuation in
            // Several events resume it; the first one does.
            let waiting = Locked<CheckedContinuation<Response?, Never>?>(continuation)
            let answer: @Sendable (Response?) -> Void = { answer in
                let continuation = waiting.use { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                continuation?.resume(returning: answer)
            }
            let task = session.dataTask(with: sent) { body, response, _ in
                guard let response = response as? HTTPURLResponse, let body else { return answer(nil) }
                let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap(Int64.init(digits:))
                answer(
                    Response(
                        status: response.statusCode, retryAfter: seconds.map { Int(clamping: $0) }, body: body
                    ))
            }
            task.resume()
            // The request's own limit is for each packet. A server that sends one byte at a time must not
            // hold up an extension.
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
                answer(nil)
                task.cancel()
            }
        }
    }

    /// A redirect would turn the post into a GET, and take the key to another host.
    private final class Redirects: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) { completionHandler(nil) }
    }
}
