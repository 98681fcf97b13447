internal import ArgumentParser
internal import Reports

/// Turns a mistake in the question into a message and exit code 64.
///
/// For `run()`: after a `ValidationError` from there, ArgumentParser would print the usage of `landfall` itself, which does not
/// help. Errors about unknown apps are rethrown: ``DatabaseOptions`` adds the database's name to them.
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
