import Ingestion
import NIOCore
import NIOEmbedded
import PostgresClient
import TestDatabase
import Testing

@testable import LandfallServer

/// The limits of small posts, which only the `EventLane` handles.
@Suite(.database, .timeLimit(.minutes(40))) struct EventLaneBoundTests {
    @Test("a client that does not read its responses gets no more, and is not read from until it does")
    func responsesNotTaken() async throws {
        try await LaneConnection.run { connection in
            try await connection.takesResponses(false)
            // All are rejected at once.
            try await connection.receive(
                connection.post("{") + connection.post("") + connection.post("["))
            #expect(connection.wire == [])
            try await connection.takesResponses(true)
            #expect(connection.wire == ["400", "400", "400", "read"])
        }
    }

    @Test("while requests are held nothing more is read, even if some are rejected at once")
    func readsHeld() async throws {
        try await LaneConnection.run { connection in
            let posts = ["[]", "{", "[]", "[]"].map { connection.post($0) }
            try await connection.receive(posts.joined())
            try await connection.waitForResponses(4)
            // No request follows the last one.
            #expect(connection.wire == ["200", "400", "200", "read", "200"])
        }
    }

    @Test("a client that reads nothing is cut off even in the middle of a small post")
    func stuck() async throws {
        try await LaneConnection.run(configure: { $0.limits.requestTimeout = .zero }) { connection in
            try await connection.receive(connection.post("[", length: 2))
            try await connection.takesResponses(false)
            #expect(connection.channel.isActive)
            await connection.channel.testingEventLoop.advanceTime(to: .now() + .hours(1))
            #expect(connection.channel.isActive == false)
        }
    }

    @Test("a close waits for the response, and completes if the client leaves first")
    func closeHeld() async throws {
        try await LaneConnection.run { connection in
            let blocker = try TestDatabase.current.connect()
            try blocker.execute(script: SQLFile(name: "lock", text: "BEGIN; LOCK TABLE landfall.delivery"))
            try await connection.receive(
                connection.post(#"{"type":"arrival","notification_id":"\#(notificationID(1))"}"#))
            let closed = connection.channel.eventLoop.makePromise(of: Void.self)
            connection.channel.close(mode: .all, promise: closed)
            try await connection.onLoop { _ in }
            #expect(connection.channel.isActive)
            try await connection.leave()
            try await closed.futureResult.get()
            try blocker.execute(script: SQLFile(name: "unlock", text: "ROLLBACK"))
        }
    }

    @Test("requests that came before a close get their responses before it")
    func closeBehindRequests() async throws {
        try await LaneConnection.run { connection in
            let posts = ["[]", "{", "[]"].map { connection.post($0) }
            // The first one has no response yet.
            try await connection.onLoop { pipeline in
                pipeline.fireChannelRead(ByteBuffer(string: posts.joined()))
                pipeline.close(mode: .all, promise: nil)
            }
            try await connection.waitForResponses(3)
            #expect(connection.channel.isActive == false)
            #expect(connection.wire == ["200", "400", "200"])
        }
    }

    @Test("a small body that completes when the queue is full is not read any further")
    func fullWhileItCame() async throws {
        try await LaneConnection.run(
            configure: { $0.limits.queued.items = ServerConfiguration.limit(ofCell: 1) }
        ) { connection in
            try await connection.receive(connection.post("", length: 1))
            let blocker = try TestDatabase.current.connect()
            try blocker.execute(script: SQLFile(name: "lock", text: "BEGIN; LOCK TABLE landfall.delivery"))
            // The first one is being written, the second one waits.
            for number in 1...2 { try await connection.postElsewhere(notificationID(number)) }
            try await connection.receive("{")
            #expect(connection.wire == ["read", "503", "read"])
            try blocker.execute(script: SQLFile(name: "unlock", text: "ROLLBACK"))
            // It was not JSON in the first place.
            let flow = connection.serverFlow
            while connection.batcher.isFull(for: flow) { try await Task.sleep(for: .milliseconds(1)) }
            try await connection.receive(connection.post("{"))
            #expect(connection.wire == ["read", "503", "read", "400", "read"])
        }
    }

    @Test("the received part of a small body counts in the budget for all bodies until the client leaves")
    func budget() async throws {
        try await LaneConnection.run(
            configure: { $0.limits.queued.bytes = ServerConfiguration.limit(ofCell: 150) }
        ) { connection in
            let (budget, flow) = (connection.posts.intake.budget, connection.serverFlow)
            try await connection.receive(
                connection.post(String(repeating: " ", count: 99), length: 200))
            #expect(budget.isSpent(for: flow, in: TestDatabase.cell) == false)
            try await connection.receive(" ")
            #expect(budget.isSpent(for: flow, in: TestDatabase.cell))
            try await connection.leave()
            #expect(budget.isSpent(for: flow, in: TestDatabase.cell) == false)
        }
    }

    @Test(
        "if its flow has its share of the budget before a small body is complete, the server responds 503 and counts none of it"
    )
    func budgetSpent() async throws {
        try await LaneConnection.run(
            configure: { $0.limits.queued.bytes = ServerConfiguration.limit(ofCell: 150) }
        ) { connection in
            let (budget, flow) = (connection.posts.intake.budget, connection.serverFlow)
            var others = budget.share(for: flow, in: TestDatabase.cell)
            try others.take(95)
            try await connection.receive(connection.post("[     ", length: 12))
            try await connection.receive("     ]")
            #expect(connection.wire == ["read", "503", "read"])
            #expect(budget.isSpent(for: flow, in: TestDatabase.cell) == false)
            others.giveBack()
            try await connection.receive(connection.post("[          ]"))
            try await connection.waitForResponses(2)
            #expect(connection.wire.contains("200"))
        }
    }
}
