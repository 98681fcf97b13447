import Access
import DeliveryModel
import Foundation
import Maintenance
import PostgresClient
import Reports
import TestDatabase
import Testing
import TokenLifecycle
import Vault

@testable import Doctor
@testable import Ingestion

@Suite("While an app is being moved", .database, .oneCell("makes its own cells"), .timeLimit(.minutes(40)))
struct FenceTests {
    /// Writes rows of an app, each in its own way.
    private func acts(
        _ ground: MoveGround, _ appID: Int64, _ connection: PostgresConnection
    ) -> [(String, () throws -> Void)] {
        let app = App(appID: appID, slug: appID == 1 ? "news" : "shop")
        let (directory, registry) = (AppDirectory(connection), DeviceRegistry(vault: ground.vault))
        let now = Instant.now
        func transaction(_ name: String, _ body: @escaping () throws -> Void) -> (String, () throws -> Void) {
            (name, { try connection.transaction(body) })
        }
        return [
            transaction("register") {
                _ = try registry.register(
                    ground.registration(0, appID), appID: appID, now: now, on: connection)
            },
            transaction("log out") {
                _ = try registry.logOut(
                    deviceID: ground.device(1, appID), appID: appID, now: now, on: connection)
            },
            transaction("erase") {
                _ = try Erasure(appID: appID).erase(ground.device(2, appID), now: now, on: connection)
            },
            transaction("create a key") {
                _ = try directory.createKey(kind: .server, for: app, at: now)
            },
            transaction("set") { try directory.set(.named("stale_after_days"), to: "90", of: app) },
            transaction("unset") { try directory.unset("stale_after_days", of: app) },
            transaction("annotate") {
                _ = try Annotations.add("note", of: app, at: now, by: "ada", now: now, on: connection)
            },
            ("drop", { _ = try QuarantineStock(appID: appID, on: connection).drop(QuarantineFilter()) }),
            (
                "record a finding",
                {
                    let finding = Finding(
                        .silentOutage, .problem, "Nothing.", "", "", command: [], evidence: [])
                    let checkup = Checkup(
                        subject: "arrivals", isAboutTraffic: true, examined: .judged("enough"),
                        findings: [finding])
                    let report = DoctorReport(
                        asOf: now, hours: 24, patients: [.init(app: app, checkups: [checkup])])
                    try FindingEpisodes.record(report, now: now, on: connection)
                }
            ),
            ("import", { try importToken(ground, appID, connection) }),
        ]
    }

    private func importToken(_ ground: MoveGround, _ appID: Int64, _ connection: PostgresConnection) throws {
        let now = Instant.now
        let line = "80f4d1a6c3,com.example.shop,\(now.rfc3339),\(UUID())"
        var pieces = [Array("value,topic,registered_at,device_id\n\(line)\n".utf8)]
        let reader = try TokenImportReader(now: now) { pieces.popLast() ?? [] }
        _ = try TokenImport(appID: appID, vault: ground.vault, on: connection).apply(reader, now: now)
    }

    @Test("nothing writes its rows, and other apps go on")
    func refused() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let connection = try ground.connectToSource()
            let (contents, counts) = (try ground.contents(connection), try ground.counts(connection))
            try await ground.source.execute(
                "INSERT INTO landfall.app_move VALUES (2, 'leaving', 3, gen_random_uuid(), now())")
            for appID in [Int64(2), 1] {
                for (name, act) in acts(ground, appID, connection) {
                    do {
                        try act()
                        #expect(appID == 1, "\(name)")
                    } catch let error as PostgresError {
                        #expect(appID == 2 && error.movingApp == 2, "\(name): \(error)")
                    }
                }
            }
            // What devices used is added of other apps only.
            let (ones, hour) = ([Int64(1), 1], Instant.now.startOfHour + .hours(1))
            let added = try connection.query(
                .Ingestion.addQuotaUse,
                [
                    .array([Int64(1), 2]), .array([hour, hour]), .array(ones), .array(ones), .array(ones),
                    .array(ones), .value(hour - .days(7)), .array(ones), .array(ones),
                ])
            #expect(try added.column("app_id", as: Int64.self) == [1])
            // What is prepared outside of the fenced transaction: the move may end before that begins.
            let unknown = AppTokenAddress(appID: 2, address: ground.address(98))
            do {
                _ = try TokenLedger(vault: ground.vault).resolve([unknown], now: .now, on: connection)
                Issue.record("the token was left out")
            } catch let error as PostgresError {
                #expect(error.movingApp == 2)
            }
            // Events of both apps in one batch, with an unknown token and an unknown campaign.
            let writer = try await ground.writer(of: ground.source.pool)
            let items = [Int64(1), 2].map { ground.response(UUID(), $0, day: 0, token: 99) }
            let other = ground.response(UUID(), 2, day: 0, token: 1, campaign: "autumn")
            let batches: [([BatchItem], Verdict.Outcome)] = [
                (items, .accepted), (items + [other], .duplicate), ([other], .duplicate),
            ]
            for (batch, first) in batches {
                do {
                    _ = try await writer.write(batch)
                    Issue.record("the batch was written")
                } catch let part as MovingApps {
                    #expect(part.errors.keys.sorted() == [2])
                    #expect(part.verdicts.first?.outcome == first)
                }
            }
            #expect(try ground.counts(connection) == counts.merging(["app_move": 1]) { $1 })
            // Maintenance moves counters to other tables, which changes no sum.
            _ = try await ground.source.pool.withConnection {
                try Maintenance(MaintenanceSettings()).run(now: .now, on: $0, isStopped: { false })
            }
            #expect(try ground.contents(connection) == contents)
            try await ground.verify()
        }
    }
    @Test("what parts of a batch have recorded of other apps is not written again")
    func parts() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            let writer = try await ground.writer(of: ground.source.pool)
            let (known, new) = (UUID(), UUID())
            _ = try await writer.write([ground.response(known, 2, day: 0, token: 1)])
            try await ground.source.execute(
                "INSERT INTO landfall.app_move VALUES (2, 'leaving', 3, gen_random_uuid(), now())")
            // It is recorded in a transaction of its own, after the one of the response.
            var late = ground.arrival(known, 2, day: 0)
            late.needsConfirmation = true
            do {
                _ = try await writer.write([late, ground.response(new, 1, day: 0, token: 1)])
                Issue.record("the batch was written")
            } catch let part as MovingApps {
                #expect(part.errors.keys.sorted() == [2])
                #expect(part.verdicts.last?.outcome == .accepted)
            }
            try await ground.verify()
        }
    }

    @Test("a move that begins between the halves of a batch leaves every item its own verdict")
    func halves() async throws {
        try await MoveGround.run { ground in
            try await ground.fill()
            // The first half commits the beginning of the move with its row.
            try ground.connectToSource().execute(
                script: SQLFile(
                    name: "test/halves",
                    text: """
                        ALTER TABLE landfall.delivery ADD CONSTRAINT poison CHECK (collapse_id <> 'poison');
                        CREATE FUNCTION landfall.begin_move() RETURNS trigger LANGUAGE plpgsql AS $$
                        BEGIN
                            INSERT INTO landfall.app_move VALUES (2, 'leaving', 3, gen_random_uuid(), now())
                            ON CONFLICT DO NOTHING;
                            RETURN NULL;
                        END;
                        $$;
                        CREATE TRIGGER begin_move AFTER INSERT ON landfall.delivery
                        FOR EACH ROW EXECUTE FUNCTION landfall.begin_move();
                        """))
            var response = ProviderResponse(provider: "apns", status: 200)
            response.facts.collapseID = "poison"
            let event = Event(notificationID: UUID(), sentAt: ground.sentAt, content: .response(response))
            let poison = BatchItem(appID: 1, text: [], poster: .server, content: .success(event))
            func push(_ appID: Int64) -> BatchItem { ground.response(UUID(), appID, day: 0, token: 1) }
            let writer = try await ground.writer(of: ground.source.pool)
            do {
                _ = try await writer.write([poison, push(1), push(2), push(1)])
                Issue.record("the batch was written")
            } catch let part as MovingApps {
                #expect(part.errors.keys.sorted() == [2])
                let outcomes = part.verdicts.map(\.outcome)
                #expect(outcomes.count == 4 && outcomes[1] == .accepted && outcomes[3] == .accepted)
                if case .rejected = outcomes[0] {} else { Issue.record("the poison was not rejected") }
            }
            try await ground.verify()
        }
    }
}
