import PostgresClient
import Testing

@testable import FuzzChecks

/// Proves that the checks of the fuzzers can fail.
struct ReceivedArrayTests {
    private let bytes = PostgresParameter.nullableArray([Int64(1), nil]).bytes ?? []

    @Test("an array that array_recv would reject is rejected")
    func rejected() throws {
        #expect(try ReceivedArray(bytes, elementType: 20).elements == [[0, 0, 0, 0, 0, 0, 0, 1], nil])
        #expect(throws: FuzzFinding.self) { try ReceivedArray(bytes, elementType: 23) }
        #expect(throws: FuzzFinding.self) { try ReceivedArray(Array(bytes.dropLast()), elementType: 20) }
        #expect(throws: FuzzFinding.self) { try ReceivedArray(bytes + [0], elementType: 20) }
        var unannounced = bytes
        unannounced[7] = 0
        #expect(throws: FuzzFinding.self) { try ReceivedArray(unannounced, elementType: 20) }
    }

    @Test("an instant is exactly what RFC 3339 says, and nothing else is one")
    func plainInstants() {
        #expect(PlainInstant.milliseconds("1970-01-02T00:00:00.25Z") == 86_400_250)
        #expect(PlainInstant.milliseconds("1970-01-01 01:00:00+01:00") == 0)
        #expect(PlainInstant.milliseconds("2024-02-29T23:59:60Z") == 1_709_251_200_000)
        #expect(PlainInstant.milliseconds("2023-02-29T00:00:00Z") == nil)
        #expect(PlainInstant.milliseconds("1970-01-01T00:00:00") == nil)
    }
}
