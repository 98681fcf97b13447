import ArgumentParser
import Reports
import Testing

@testable import landfall

@Suite("A mistake in the question")
struct UsageMistakeTests {
    @Test("is a sentence that quotes what was typed")
    func sentence() {
        let message = { (error: ReportError) in
            let thrown = #expect(throws: ValidationError.self) { try asValidation { throw error } }
            return thrown?.message ?? ""
        }
        #expect(message(.tooManyDimensions([.day, .hour])).hasPrefix("'day,hour' are too many at once: "))
        #expect(message(.unreadableInstant("yesterdy", bound: "from")).hasPrefix("'yesterdy' cannot be read"))
        #expect(
            message(.unknownDimension("dya")).hasPrefix("A report cannot be broken down by 'dya' (did you"))
    }

    @Test("found while running ends with 64, and without the usage of landfall")
    func running() {
        let code = #expect(throws: ExitCode.self) {
            try asUsage { throw ReportError.appNotNamed(known: ["a", "b"]) }
        }
        #expect(code == .validationFailure)
    }

    @Test("is not what a contradiction in the database is")
    func contradiction() {
        let error = ReportError.doesNotAddUp(report: "funnel", place: "", rule: "", left: 0, right: 1)
        #expect(throws: error) { try asUsage { throw error } }
    }
}
