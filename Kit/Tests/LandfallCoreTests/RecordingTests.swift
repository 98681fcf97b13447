import Foundation
import Testing

@testable import LandfallApp
@testable import LandfallCore

/// What the app and its extension record.
@Suite struct RecordingTests {
    private let folder: TemporaryFolder
    private let spool: Spool
    private let identity: Identity
    private let clock = HandClock()
    private let network = Network.recordingAll()

    init() throws {
        folder = try TemporaryFolder()
        spool = Spool(folder: folder.url.appendingPathComponent("group/Landfall/v1"), isShared: true)
        identity = Identity(SecretFiles(folder: folder.url.appendingPathComponent("keychain")))
    }

    private func recorder(
        _ network: Network? = nil, spool: Spool? = nil, isConfigured: Bool = true
    ) throws -> Recorder {
        let url = try #require(URL(string: "https://push.example"))
        var bounds = Uploader.Bounds()
        bounds.plainBytes = .max
        return Recorder(
            isConfigured ? Configuration(url: url, key: "lf_device_a") : nil, spool: spool ?? self.spool,
            identity: identity, transport: network ?? self.network, bounds: bounds, clock: clock.clock)
    }

    private func app(_ recorder: Recorder) -> AppRecorder {
        AppRecorder(recorder, registrar: nil, folder: folder.url.appendingPathComponent("app"))
    }

    private func run(_ number: Int, _ recorder: Recorder, outcome: DeviceEvent.Outcome? = nil) async {
        let run = ExtensionRun(payload(number), recorder: recorder)
        await withCheckedContinuation { shown in run.finish(outcome, grace: 600) { shown.resume() } }
    }

    @Test(
        "an arrival is on disk when the run of the extension exists, and uploaded before the notification is shown"
    )
    func arrival() async throws {
        let silent = Network { _, _ in nil }
        _ = ExtensionRun(payload(1), recorder: try recorder(silent))
        #expect(spool.files().count == 1)

        let id = try #require(identity.makeDeviceID())
        await run(2, try recorder())
        #expect(spool.files().isEmpty)
        let items = network.items
        let ids = items.compactMap { $0["notification_id"] as? String }
        #expect(ids.sorted() == [LandfallCoreTests.id(1), LandfallCoreTests.id(2)])
        #expect(
            items.allSatisfy {
                $0["type"] as? String == "arrival" && $0["kit"] as? String == KitVersion.current
            })
        #expect(items.allSatisfy { $0["device_id"] as? String == id.uuidString.lowercased() })
        #expect(
            items.allSatisfy {
                $0["occurred_at"] as? Int64 == clock.now && $0["reported_at"] as? Int64 == clock.now
            })
        #expect(items.allSatisfy { $0["shared"] == nil && $0["evidence"] == nil })
    }

    @Test("a notification of another sender is shown at once, and nothing is recorded")
    func foreign() async throws {
        let run = ExtensionRun(["aps": ["alert": "Hi"]], recorder: try recorder())
        let isShown = Locked(false)
        run.finish { isShown.use { $0 = true } }
        #expect(isShown.use { $0 })
        #expect(spool.files().isEmpty && network.sent.isEmpty)
    }

    @Test("a server that is silent delays the notification by the grace, and no more; it is shown once")
    func silence() async throws {
        let silent = SilentNetwork()
        let recorder = Recorder(
            Configuration(url: try #require(URL(string: "https://push.example")), key: "lf_device_a"),
            spool: spool,
            identity: identity, transport: silent, clock: clock.clock)
        let run = ExtensionRun(payload(1), recorder: recorder)
        let count = Locked(0)
        await withCheckedContinuation { shown in
            run.finish(grace: 0.05) {
                count.use { $0 += 1 }
                shown.resume()
            }
        }
        run.finish { count.use { $0 += 1 } }
        run.expire { count.use { $0 += 1 } }
        silent.end()
        #expect(count.use { $0 } == 1)
        #expect(spool.files().count == 1)
    }

    @Test("a run that expires is reported, and so is a missing attachment")
    func outcomes() async throws {
        let recorder = try recorder()
        let expired = ExtensionRun(payload(1), recorder: recorder)
        let isShown = Locked(false)
        expired.expire { isShown.use { $0 = true } }
        #expect(isShown.use { $0 } && expired.isFinished)
        await run(2, recorder, outcome: .attachmentFailed)
        await recorder.upload(within: 8)
        let outcomes = network.items.map { "\($0["notification_id"] ?? ""): \($0["outcome"] ?? "none")" }
        #expect(
            Set(outcomes) == [
                "\(id(1)): none", "\(id(1)): expired", "\(id(2)): none", "\(id(2)): attachment_failed",
            ])
    }

    @Test("without an App Group, events say that the app and its extension do not share them")
    func notShared() async throws {
        let alone = Spool(folder: spool.folder, isShared: false)
        await run(1, try recorder(spool: alone))
        #expect(network.items.map { $0["shared"] as? Bool } == [false])
    }

    @Test("an event that cannot be written is posted from memory, as soon as there is a network")
    func unwritable() async throws {
        let file = folder.url.appendingPathComponent("full")
        try Data().write(to: file)
        let isThere = Locked(false)
        let network = Network { request, _ in isThere.use { $0 } ? .recorded(request.items.count) : nil }
        let recorder = try recorder(
            network, spool: Spool(folder: file.appendingPathComponent("v1"), isShared: true))
        await run(1, recorder)
        isThere.use { $0 = true }
        #expect(await recorder.upload(within: 8) == .done)
        #expect(network.items.count == 2)
        #expect(await recorder.upload(within: 8) == .done)
        #expect(network.sent.count == 2)
    }

    @Test("without a valid configuration, events are kept until there is one")
    func unconfigured() async throws {
        await run(1, try recorder(isConfigured: false))
        #expect(spool.files().count == 1)
        #expect(try await recorder().upload(within: 8) == .done)
        #expect(network.items.count == 1)
    }

    @Test("events about a message wait until the device has an id")
    func message() async throws {
        let recorder = try recorder()
        let run = ExtensionRun(["landfall": ["message": id(1)]], recorder: recorder)
        await withCheckedContinuation { shown in run.finish(grace: 600) { shown.resume() } }
        #expect(network.sent.isEmpty && spool.files().count == 1)
        _ = identity.makeDeviceID()
        await recorder.upload(within: 8)
        #expect(network.items.map { $0["message_id"] as? String } == [id(1)])
        #expect(spool.files().isEmpty)
    }

    @Test("taps, actions, texts and dismissals say what they are, and in which state the app was")
    func responses() async throws {
        let app = app(try recorder())
        let tap = "com.apple.UNNotificationDefaultActionIdentifier"
        app.responded(payload(1), actionIdentifier: tap, isInBackground: true)
        app.becameActive()
        app.responded(payload(2), actionIdentifier: tap, category: "order", isInBackground: true)
        app.responded(payload(3), actionIdentifier: "buy", isInBackground: false)
        app.responded(payload(4), actionIdentifier: "archive", isInBackground: true)
        app.responded(payload(5), actionIdentifier: "reply", hasText: true, isInBackground: true)
        app.responded(
            payload(6), actionIdentifier: "com.apple.UNNotificationDismissActionIdentifier",
            isInBackground: true)
        app.presented(payload(7), category: "order", isLocal: true)
        app.received(payload(8))
        await app.synchronize()
        let events = network.items.map { item in
            ["type", "action", "category", "app_state", "has_text", "source", "evidence"]
                .map { item[$0].map { "\($0)" } ?? "-" }.joined(separator: " ")
        }
        #expect(
            Set(events) == [
                "click - - terminated - - -", "click - order foreground - - -",
                "click buy - foreground - - -",
                "click archive - background - - -", "click reply - background 1 - -",
                "dismissal - - background - - -", "presentation - order - - local -", "arrival - - - - - app",
            ])
    }

    @Test("what the notification center shows is an arrival, each time it is new there")
    func secondWitness() async throws {
        let recorder = try recorder()
        func launch(_ numbers: [Int]) async {
            let date = Date(timeIntervalSince1970: 1_772_000_000)
            app(recorder).found(
                numbers.compactMap { AppRecorder.Delivered(payload($0), date: date, recorder: recorder) }
                    + [AppRecorder.Delivered([:], date: date, recorder: recorder)].compactMap { $0 },
                categories: [])
            await recorder.upload(within: 8)
        }
        await launch([1, 2])
        await launch([2, 3])
        await launch([3])
        await launch([])
        let found = network.items
        #expect(found.compactMap { $0["notification_id"] as? String }.sorted() == [id(1), id(2), id(3)])
        #expect(
            found.allSatisfy {
                $0["evidence"] as? String == "centre" && $0["occurred_at"] as? Int64 == 1_772_000_000_000
            })
    }
}

/// A network that takes requests, and responds to none until it ends.
private final class SilentNetwork: Transport {
    private let waiting = Locked<[CheckedContinuation<Response?, Never>]>([])

    func send(_ request: Request, within seconds: TimeInterval) async -> Response? {
        await withCheckedContinuation { continuation in waiting.use { $0.append(continuation) } }
    }

    func end() {
        for continuation in waiting.use({ $0 }) { continuation.resume(returning: nil) }
    }
}
