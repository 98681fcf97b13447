internal import Access
internal import ArgumentParser
internal import People
internal import Reports

/// Something that was requested but is not in the database, with the database's name: often, another database was meant.
struct NotInDatabase: Error, CustomStringConvertible {
    let problem: any Error
    /// Without a password.
    let database: String

    var description: String { "\(problem)\("\(problem)".hasSuffix(".") ? "" : ".") Searched: \(database)" }

    /// Adds the name to errors about something not found, and rethrows all others.
    static func naming<Value>(_ database: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch  where isMeant(error) {
            let named = NotInDatabase(problem: error, database: database)
            guard (error as? ReportError)?.isMistakeInQuestion == true else { throw named }
            note("Error: \(sentence(named.description))")
            throw ExitCode.validationFailure
        }
    }

    static func isMeant(_ error: any Error) -> Bool {
        switch error {
        case ReportError.noApp, ReportError.unknownApp, ReportError.appNotNamed: true
        case StoryError.noTokenKey: false
        case is StoryError: true
        case AccessError.noSuchKey, PeopleError.noSuchPerson, AnnotationError.noSuchAnnotation: true
        default: false
        }
    }
}
