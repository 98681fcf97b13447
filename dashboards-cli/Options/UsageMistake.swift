internal import ArgumentParser
internal import Reports

/// Turns a mistake in the question into a message and exit code 64.
///
/// For `run()`: a `ValidationError` from there would be followed by the usage of `landfall` itself, which
/// helps nobody. Apps that are not there pass: ``DatabaseOptions`` adds the database's name to them.
func asUsage<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as ReportError where error.isMistakeInQuestion && !NotInDatabase.isMeant(error) {
        note("Error: \(sentence(error.description))")
        throw ExitCode.validationFailure
    }
}

/// The same for `validate()`: ArgumentParser shows the command's own usage behind the message.
func asValidation<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as ReportError where error.isMistakeInQuestion {
        throw ValidationError(sentence(error.description))
    }
}

/// Begins with a capital and ends with a full stop, as ArgumentParser's own messages do.
func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("?") || text.hasSuffix(".") ? "" : ".")
}
