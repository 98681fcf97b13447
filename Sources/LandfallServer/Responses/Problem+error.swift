internal import Access
internal import Hummingbird
internal import Ingestion
internal import NIOCore
internal import People
internal import PostgresClient
internal import Reports

extension Problem {
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as PostgresError: self = Problem(error)
        case let error as ReportError: self = Problem(error)
        case let error as UnknownCell: self = .unavailable("unknown_cell", error.description)
        case let error as PeopleError: self = .invalidParameter(error.description)
        case let error as AnnotationError: self = .invalidParameter(error.description)
        case is EventBatcherError: self = .overloaded
        case is NIOTooManyBytesError: self = .bodyTooLarge
        case GunzipError.invalid:
            self = Problem(.badRequest, "invalid_encoding", "the body is not valid gzip")
        case is ChannelError, is IOError:
            // No client is left to read it, and the server is not at fault.
            self = Problem(.badRequest, "connection_lost", "the connection ended before the request did")
        case let error as HTTPError where error.status == .notFound: self = .notFound()
        case let error as any HTTPResponseError:
            self = Problem(error.status, "http_error", error.status.reasonPhrase)
        default:
            self = Problem(
                .internalServerError, "internal_error", "the server failed; the request is not at fault")
        }
    }

    /// If the database is unavailable or too slow, the caller may repeat the request unchanged.
    private init(_ error: PostgresError) {
        if error.movingApp != nil {
            self = Problem(
                .serviceUnavailable, "app_moving",
                "this app is being moved to another database: repeat the request unchanged",
                headers: [.retryAfter: "5"])
        } else if error.slowStatement != nil {
            self = .unavailable(
                "statement_timeout",
                "the database took too long: repeat the request unchanged; items already recorded count as duplicates"
            )
        } else if error.isTransient {
            self = .databaseUnavailable
        } else if error.sqlState == .endOfSequence {
            self = .unavailable(
                "ids_used_up",
                "this cell has used all of its ids: landfall migrate gives it others, and then the request succeeds unchanged"
            )
        } else {
            self = Problem(.internalServerError, "internal_error", "the database rejected the statement")
        }
    }
}
