import Access
import Connecting
import DeliveryModel
import Foundation
import PostgresClient
import Reports
import SQLFiles
import TestDatabase
import Testing

@testable import LandfallServer

/// What it costs to watch an app that has many pushes, or that is next to one that has.
@Suite("The cost of connecting", .database) struct ConnectCostTests {
    private let now = Instant.now.millisecondsSinceEpoch

    /// Later ones were sent later.
    private func sentAt(_ number: Int) -> Int64 { now - 2_000 + Int64(number) }

    private func id(_ number: Int, version: Int) -> String {
        let time = sentAt(number)
        return String(
            format: "%08x-%04x-%d000-8000-%012d", Int(time >> 16), Int(time & 0xFFFF), version, number)
    }

    private func post(_ numbers: Range<Int>, version: Int = 7, _ server: TestServer) async throws {
        let responses = numbers.map { number in
            """
            {"type":"response","notification_id":"\(id(number, version: version))","sent_at":\(sentAt(number)),\
            "provider":"apns","status":200,"token":"\(tokenValue(1))","topic":"com.example.shop"}
            """
        }
        let posted = try await server.post(responses.joined(separator: "\n"))
        #expect(posted.counts == [numbers.count, 0, 0])
    }

    private func start(_ server: TestServer) async throws -> ConnectStart {
        try await TestDatabase.current.pool.withConnection {
            try ConnectStart(of: server.app, now: .now, on: $0)
        }
    }

    /// The progress, and the names of the statements that it took.
    private func progress(_ start: ConnectStart) throws -> (ConnectProgress, Set<String>) {
        let sent = SentStatements()
        let connection = try TestDatabase.current.connect(statementObserver: sent.note)
        let progress = try start.progress(until: .meeting, now: .now, on: connection)
        return (progress, Set(sent.all.map(\.file.name)))
    }

    private let newest = SQLFile.Stories.newestIds.name
    private let newestInStates = SQLFile.Stories.newestIdsInStates.name

    @Test("a pair is found although more pushes followed it than are shown", arguments: [4, 7])
    func busy(version: Int) async throws {
        try await TestServer.run { server in
            let start = try await start(server)
            try await post(0..<200, version: version, server)
            let (waiting, statements) = try progress(start)
            #expect(waiting.stage == .waitingForDevice)
            #expect(statements.contains(newest) && !statements.contains(newestInStates))

            let click = #"{"type":"click","notification_id":"\#(id(0, version: version))"}"#
            let clicked = try await server.post(click, as: .device)
            #expect(clicked.counts == [1, 0, 0], "\(clicked)")
            for start in [start, ConnectStart(of: server.app, lastHourBefore: .now)] {
                let (progress, _) = try progress(start)
                guard case .connected(let push) = progress.stage else {
                    Issue.record("\(progress.summary)")
                    continue
                }
                #expect(push.notificationID.uuidString.lowercased() == id(0, version: version))
            }
        }
    }

    @Test("while nothing is new, no notification is read, whatever this app and others have")
    func quiet() async throws {
        try await TestServer.run { server in
            let (other, keys) = try await TestServer.makeApp("other")
            try await post(0..<500, server)
            let start = try await start(server)
            try await post(500..<1_000, server.with(keys: keys, app: other))
            let (quiet, statements) = try progress(start)
            #expect(quiet.stage == .waiting)
            #expect(statements.contains(SQLFile.Stories.recentStates.name))
            #expect(statements.isDisjoint(with: [newest, newestInStates]), "\(statements)")
        }
    }
}
