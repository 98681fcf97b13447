internal import Access
internal import ArgumentParser
internal import People
internal import Reports
internal import Vault

struct CommandProblem: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static let noTerminal = CommandProblem(
        "landfall watch requires a terminal; without one, run landfall, which prints the same once")
    static let noTokenKey = CommandProblem(
        "device tokens and quarantined items are sealed, and the token key is not available here: set "
            + "\(TokenKey.environmentVariable), or copy token.key from the server's data folder to "
            + "LANDFALL_DATA")
}

/// Turns a mistake in the question into a message and exit code 64.
///
/// For `run()`: after a `ValidationError` from there, ArgumentParser would print the usage of `landfall`
/// itself, which does not help. Errors about unknown apps are rethrown: ``DatabaseOptions`` adds the
/// database's name to them.
func asUsage<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as ReportError where error.isMistakeInQuestion && !NotInDatabase.isMeant(error) {
        note("Error: \(sentence(error.description))")
        throw ExitCode.validationFailure
    }
}

/// Turns such a mistake into a `ValidationError`, for `validate()`: ArgumentParser prints the command's own
/// usage after the message.
func asValidation<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as ReportError where error.isMistakeInQuestion {
        throw ValidationError(sentence(error.description))
    }
}

/// The text with a capital at its beginning and a period at its end, like ArgumentParser's own messages.
func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("?") || text.hasSuffix(".") ? "" : ".")
}

/// Something requested that is not in the database, with the database's name: often, another one was meant.
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
