internal import HTTPTypes
internal import Hummingbird
internal import Ingestion
internal import Logging

/// The outermost middleware: gives each request an id, counts it and writes its line in the access log.
///
/// A line contains only what is safe to keep: the route's template but not the path, no query, no header
/// values, and the number of the key but not the key.
struct RequestObserver: RouterMiddleware {
    typealias Context = LandfallRequestContext

    private let metrics: HTTPMetrics
    private let accessLog: AccessLog
    private let errors = ErrorLines()

    init(metrics: HTTPMetrics, access: LogSettings.Access, logger: Logger) {
        self.metrics = metrics
        accessLog = AccessLog(access, errors: errors, logger: logger)
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let started = ContinuousClock.now
        let id = RequestID(of: request.headers)
        var context = context
        context.logger = context.logger.about(id)
        var response = try await next(request, context)
        id.write(to: &response.headers)
        note(
            AccessLog.Entry(
                route: context.routeTemplate, method: request.method.rawValue,
                status: response.status.code, elapsed: started.duration(to: .now),
                bytesIn: request.headers[.contentLength].flatMap { Int($0) },
                bytesOut: response.body.contentLength, keyID: context.caller.keyID, requestID: id.text))
        return response
    }

    /// Counts a request that has its response, and writes its line.
    func note(_ entry: AccessLog.Entry) {
        metrics.responded(
            route: entry.route, method: entry.method, status: entry.status, after: entry.elapsed)
        accessLog.note(entry)
    }

    /// The problem document for an error. A server failure that no code path chose is also logged.
    func problem(_ error: any Error, of logger: @autoclosure () -> Logger) -> Problem {
        let problem = Problem(error)
        let wasDecided = error is Problem || error is EventBatcherError
        if problem.status.kind == .serverError, !wasDecided {
            errors.write("request failed", ["error": "\(error)"], to: logger())
        }
        return problem
    }
}

/// Turns every error of inner middleware and controllers into `application/problem+json`. Only
/// `RequestObserver` is further out.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = LandfallRequestContext

    let observer: RequestObserver

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return try observer.problem(error, of: context.logger).response(from: request, context: context)
        }
    }
}

extension LandfallRequestContext {
    /// If no route matches, or the request was rejected before routing.
    static let unmatchedRoute = "unmatched"

    /// A template such as `/v1/devices/{device_id}`; `unmatched` if no route has the path and method.
    var routeTemplate: String {
        guard let path = endpointPath, path != "NotFound" else { return Self.unmatchedRoute }
        return path
    }
}

extension Logger {
    /// A logger whose lines contain the request's id.
    func about(_ id: RequestID) -> Logger {
        var logger = self
        logger[metadataKey: "request_id"] = .string(id.text)
        return logger
    }
}
