internal import Hummingbird
internal import Ingestion
internal import NIOCore
internal import PostgresClient
internal import Reports

/// The outermost middleware: whatever goes wrong inside leaves as `application/problem+json`.
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

extension Problem {
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as PostgresError: self = Problem(error)
        case let error as ReportError: self = Problem(error)
        case is EventBatcherError: self = .overloaded
        case is NIOTooManyBytesError: self = .bodyTooLarge
        case GunzipError.invalid:
            self = Problem(.badRequest, "invalid_encoding", "the body is not valid gzip")
        case is ChannelError, is IOError:
            // Nobody is there to read it; and it is no fault of this server's.
            self = Problem(.badRequest, "connection_lost", "the connection ended before the request did")
        case let error as HTTPError where error.status == .notFound:
            self = Problem(.notFound, "not_found", "this path does not exist")
        case let error as any HTTPResponseError:
            self = Problem(error.status, "http_error", error.status.reasonPhrase)
        default:
            self = Problem(
                .internalServerError, "internal_error", "the server failed; the request is not at fault")
        }
    }

    /// A database that is away is no fault of the caller's: what it posted is not recorded and may be repeated as it was.
    private init(_ error: PostgresError) {
        self =
            error.isTransient
            ? .unavailable(
                "database_unavailable", "the database cannot be reached: repeat the request unchanged")
            : Problem(.internalServerError, "internal_error", "the database rejected the statement")
    }
}
