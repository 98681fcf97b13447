import ArgumentParser
import Basics
import Maintenance
import Reports
import Testing

@testable import Dashboards
@testable import Ingestion
@testable import Rendering

@Suite("Quarantine and maintenance commands") struct OperationTests {
    private let style = OutputStyle(usesUnicode: false, usesColor: false)

    @Test("reject an unknown code, an unreadable instant and a retention of 0 as usage errors")
    func mistakes() {
        for arguments in [
            ["quarantine", "list", "--code", "nope"],
            ["quarantine", "list", "--poster", "report"], ["quarantine", "list", "--from", "soon"],
            ["quarantine", "drop", "--before", "soon"], ["maintain", "--retention-days", "0"],
            ["maintain", "--apply"],
            ["quarantine", "list", "--limit", "-1"],
        ] {
            #expect(throws: (any Error).self, "\(arguments)") { try Landfall.parseAsRoot(arguments) }
        }
        #expect(throws: Never.self) {
            try Landfall.parseAsRoot([
                "quarantine", "drop", "--code", "too_old", "--id", "1", "--before", "7d",
            ])
        }
    }

    @Test("a plan says that nothing was changed; afterward the output says how much was done")
    func change() {
        var change = QuarantineChange(
            action: "replay", app: "shop", asOf: Instant(millisecondsSinceEpoch: 0),
            plan: [
                .init(name: "posted", items: 1_200, meaning: "valid now"),
                .init(name: "rejected", items: 3, meaning: "stay"),
            ])
        #expect(
            change.lines(style) == [
                "Quarantine replay | shop", "", "  posted      1,200  valid now", "  rejected        3  stay",
                "",
                "This is a plan: nothing was changed. --apply carries it out.",
            ])
        change.done = [.init(name: "accepted", items: 1_200, meaning: "recorded")]
        #expect(change.lines(style).suffix(3) == ["  accepted    1,200  recorded", "", "Done."])
        #expect(change.document.indentedText.contains("\"accepted\": 1200"))
        change.wasStopped = true
        #expect(change.lines(style).last == "Stopped between two batches; the next run continues.")
    }

    @Test("an empty quarantine is reported as empty")
    func emptyQuarantine() {
        let report = QuarantineReport(
            app: "shop", books: QuarantineBooks(kept: 1_500, evicted: 1_500), groups: [], listed: [],
            asOf: Instant(millisecondsSinceEpoch: 0))
        #expect(
            report.lines(style) == [
                "Quarantine | shop",
                "  so far   1,500 kept, 0 repeated, 1,500 evicted, 0 dropped, 0 replayed", "",
                "No such item is in quarantine.",
            ])
        #expect(report.document.indentedText.contains("\"items\": 0"))
    }

    @Test("maintenance without work reports that for each step")
    func maintenance() {
        let report = MaintenanceReport()
        #expect(report.lines(style).last == "Done.")
        #expect(report.lines(style)[2] == "  days made           0  partitions created in advance")
        #expect(report.document.indentedText.contains("\"days_dropped\": []"))
    }
}
