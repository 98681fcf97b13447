import DeliveryModel
import PostgresClient
import Reports
import TestDatabase
import Testing

/// Every report over the day from `start`, in all formats that people and programs read.
func documents(of app: App, from start: Instant) async throws -> [String] {
    try await TestDatabase.current.pool.withConnection { connection in
        let now = start + .days(4)
        return try [[], ["campaign"], ["hour"], ["day", "campaign"]].flatMap { by -> [String] in
            let query = try ReportRequest(from: start.rfc3339, to: (start + .days(1)).rfc3339, by: by)
                .query(for: App(appID: app.appID, slug: "any"), now: now)
            return [
                try FunnelReport.run(query, on: connection, now: now).document.indentedText,
                try ClicksReport.run(query, on: connection, now: now).document.indentedText,
                try ReachReport.run(query, on: connection, now: now).document.indentedText,
            ]
        }
    }
}

/// Records the lines that differ.
func expectSame(_ documents: [String], _ expected: [String]) {
    #expect(documents.count == expected.count)
    for (document, expected) in zip(documents, expected) where document != expected {
        let lines = zip(document.split(separator: "\n"), expected.split(separator: "\n"))
        for (line, expectedLine) in lines where line != expectedLine {
            Issue.record("\(line) in place of \(expectedLine)")
        }
    }
}
