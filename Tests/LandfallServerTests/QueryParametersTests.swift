import Testing

@testable import LandfallServer

@Suite("Reading of queries and forms") struct QueryParametersTests {
    @Test("a plus is a space in reports and forms, and a plus in feeds")
    func plus() throws {
        let query = "account=a+b%40c.example"
        #expect(try QueryParameters(query: query).one("account") == "a b@c.example")
        #expect(try QueryParameters(query: query, plus: .isPlus).one("account") == "a+b@c.example")
    }

    @Test("a value that cannot be read is reported with the parameter's name")
    func unreadable() {
        for value in ["%00", "%FF", "%2", String(repeating: "x", count: 256)] {
            #expect(detail("tag=\(value)")?.hasPrefix("'tag' is not percent-encoded UTF-8") == true)
            #expect(detail("\(value)=1")?.hasPrefix("the name of a parameter is not") == true)
        }
    }

    @Test("a parameter that contains a page's path may be longer than others, but not than a shared path")
    func paths() throws {
        func length(_ count: Int) throws -> Int? {
            let query = "next=\(String(repeating: "x", count: count))"
            return try QueryParameters(query: query, paths: ["next"]).one("next")?.count
        }
        #expect(try length(2_000) == 2_000)
        let problem = #expect(throws: Problem.self) { try length(2_001) }
        #expect(problem?.detail.contains("longer than 2000 characters") == true)
    }

    @Test("a query may have 20 values of one parameter, and 400 in all")
    func bounds() {
        func query(_ names: Range<Int>, _ values: Int) -> String {
            names.flatMap { name in (0..<values).map { "p\(name)=\($0)" } }.joined(separator: "&")
        }
        #expect(detail(query(0..<20, 20)) == nil)
        #expect(detail(query(0..<1, 21)) == "'p0' is given more than 20 times: use fewer values")
        #expect(detail(query(0..<21, 20)) == "there are more than 400 parameters: use fewer")
    }

    @Test("what is read is written again")
    func written() throws {
        let parameters = try QueryParameters(query: "a=1&b=x+%26%2B&a=")
        #expect(parameters.query == "a=1&b=x%20%26%2B&a=")
        #expect(parameters.setting("a", to: "2").query == "b=x%20%26%2B&a=2")
        #expect(parameters.setting("b", to: nil).query == "a=1&a=")
    }

    /// The error's detail; `nil` if the query can be read.
    private func detail(_ query: String) -> String? {
        do throws(Problem) {
            _ = try QueryParameters(query: query)
            return nil
        } catch {
            return error.detail
        }
    }
}
