import Foundation
import Testing

@testable import DeliveryModel

/// The database holds these numbers in states and ranks: they never change.
@Suite("Numbers in the database") struct PersistedNumbersTests {
    @Test("the positions of rejection classes")
    func positions() {
        let positions = RejectionClass.allCases.map { "\($0.position) \($0.rawValue)" }
        #expect(
            positions == [
                "0 token_dead", "1 token_suspect", "2 wrong_topic", "3 wrong_environment", "4 payload_error",
                "5 request_error", "6 auth_error", "7 throttled", "8 provider_error", "9 unknown",
            ])
    }

    @Test("the bits of states")
    func bits() {
        let milestones: [DeliveryState] = [
            .attempted, .accepted, .canReport, .arrived, .presented, .clicked, .dismissed, .recalled, .local,
        ]
        #expect(milestones.map(\.rawValue) == (0...8).map { 1 << $0 })
        let classes = RejectionClass.allCases
        #expect(classes.map { DeliveryState.rejected($0).rawValue } == (16...25).map { 1 << $0 })
        let final = [9, 10, 11, 12, 13, 14, 15, 26, 27, 28] as [Int32]
        #expect(classes.map { DeliveryState.rejected($0, isFinal: true).rawValue } == final.map { 1 << $0 })
    }

    @Test("the masks that statements name, in sql/masks.txt")
    func masks() throws {
        let rejections = RejectionClass.allCases.flatMap {
            [DeliveryState.rejected($0), .rejected($0, isFinal: true)]
        }
        let fromResponses = DeliveryState(rejections).union([.attempted, .accepted, .canReport])
        let states: [String: DeliveryState] = [
            "attempted": .attempted, "arrived": .arrived, "presented": .presented, "clicked": .clicked,
            "dismissed": .dismissed, "local": .local, "accepted_and_clicked": [.accepted, .clicked],
            "not_from_responses": DeliveryState(rawValue: ~fromResponses.rawValue),
        ]
        let lines = try lines(of: "masks.txt")
        #expect(Set(lines) == Set(states.map { "\($0) \($1.rawValue)" }))
    }

    @Test("the facts that statements list, in sql/lists.txt")
    func facts() throws {
        let facts = DeliveryFact.all.map { "\($0.column) facts \($0.source.rawValue)" }
        let type = DeliveryFact.rowType.split(separator: ".").last.map { "\($0) type" }
        #expect(try lines(of: "lists.txt") == [type].compactMap(\.self) + facts)
    }

    /// The lines of a file of the folder `sql` that are not comments.
    private func lines(of name: String) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("sql/\(name)")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map(String.init)
    }

    @Test("the ranks of responses")
    func ranks() {
        #expect(OutcomeClass.accepted.rank == 0 && OutcomeClass.accepted.finalRank == 0)
        let rejections = RejectionClass.allCases.map(OutcomeClass.rejected)
        #expect(rejections.map(\.rank) == Array(1...10))
        #expect(rejections.map(\.finalRank) == Array(-99 ... -90))
    }
}
