internal import Hummingbird
internal import Logging

/// The outermost middleware: gives each request an id, counts it and writes its line of the access log.
///
/// A line holds what is safe to keep: the route's template and never the path, no query, no header values, the number of the key
/// and never the key.
struct RequestObserver: RouterMiddleware {
    typealias Context = LandfallRequestContext

    let metrics: HTTPMetrics
    let accessLog: AccessLog

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let started = ContinuousClock.now
        let id = RequestID(of: request)
        var context = context
        context.logger[metadataKey: "request_id"] = .string(id.text)
        var response = try await next(request, context)
        id.answer(in: &response)
        let elapsed = started.duration(to: .now)
        let route = context.routeTemplate
        metrics.answered(
            route: route, method: request.method, status: response.status.code, after: elapsed)
        accessLog.note(
            AccessLog.Entry(
                route: route, method: request.method.rawValue, status: response.status.code,
                elapsed: elapsed, bytesIn: request.headers[.contentLength].flatMap { Int($0) },
                bytesOut: response.body.contentLength, keyID: context.caller.keyID, requestID: id.text))
        return response
    }
}

extension LandfallRequestContext {
    /// Such as `/v1/devices/{device_id}`; `unmatched` when no route has the path and method.
    var routeTemplate: String {
        guard let path = endpointPath, path != "NotFound" else { return "unmatched" }
        return path
    }
}
