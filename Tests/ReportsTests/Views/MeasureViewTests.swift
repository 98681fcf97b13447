import DeliveryModel
import PostgresClient
import TestDatabase
import Testing

/// Swift sums reports by `Measure`; SQL has `landfall.measure` for views, the doctor and token rules.
@Suite("Measures in SQL", .database) struct MeasureViewTests {
    /// All combinations of milestones, with and without each class of rejection, final or not, and random
    /// ones of all bits.
    private static let states: [Int32] = {
        let milestones = (0..<512 as Range<Int32>).map { $0 }
        let rejected = (9..<29 as Range<Int32>).flatMap { bit in
            milestones.filter { $0 & 1 == 1 }.map { $0 | 1 << bit }
        }
        var random = SystemRandomNumberGenerator()
        let any = (0..<5_000).map { _ in Int32.random(in: 0...Int32.max, using: &random) | 1 }
        // Acceptance is never recorded without a response, nor together with a final rejection.
        return (milestones.filter { $0 & 3 != 2 } + rejected + any).map {
            DeliveryState().joined(with: DeliveryState(rawValue: $0)).rawValue
        }
    }()

    @Test("count the same states as in Swift", arguments: Measure.allCases)
    func states(measure: Measure) async throws {
        let counted = try await TestDatabase.current.query(
            """
            SELECT measure.\(measure.rawValue)
              FROM unnest($1::integer[]) WITH ORDINALITY AS state (state, position)
             CROSS JOIN LATERAL landfall.measures(state.state) AS measure
             ORDER BY state.position
            """, [.array(Self.states)]
        ) { try $0.get(0, as: Bool.self) }
        let differing = zip(Self.states, counted).filter { state, isCounted in
            (measure.value(of: DeliveryState(rawValue: state)) == 1) != isCounted
        }
        #expect(differing.map(\.0) == [])
    }

    @Test("are the measures of Swift, and the sum of rejections")
    func names() async throws {
        let names = try await TestDatabase.current.query(
            "SELECT name FROM landfall.measure ORDER BY position"
        ) {
            try $0.get(0, as: String.self)
        }
        #expect(names.filter { $0 != "rejected" } == Measure.allCases.map(\.rawValue))
    }
}
