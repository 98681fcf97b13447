// A phone with the kit, for tests on Linux: runs the extension, or the app, once. Everything that it records
// it prints when it is on disk, so that a test which kills it knows what must not be lost.
//
// landfall-phone extension FOLDER URL KEY PAYLOAD landfall-phone app FOLDER URL KEY '{"token": "a0b1…",
// "taps": [{"payload": {…}, "action": "buy"}]}'
//
// FOLDER is the phone: its App Group, its keychain, the app's own folder, and a file `clock` with the
// milliseconds by which its clock is ahead. The app repeats until everything is uploaded, and exits with 1 if
// it cannot be.

import Foundation
import LandfallApp
import LandfallCore

let arguments = CommandLine.arguments
guard arguments.count == 6, let url = URL(string: arguments[3]) else { exit(64) }
let folder = URL(fileURLWithPath: arguments[2])
let clockText = try? String(contentsOf: folder.appendingPathComponent("clock"), encoding: .utf8)
let ahead = clockText.flatMap { Int64($0) } ?? 0
let surroundings = Surroundings(
    configuration: .success(Configuration(url: url, key: arguments[4])),
    spool: Spool(folder: folder.appendingPathComponent("group/Landfall/v1"), isShared: true),
    identity: Identity(SecretFiles(folder: folder.appendingPathComponent("keychain"))),
    folder: folder.appendingPathComponent("app"), transport: SessionTransport(),
    clock: { systemClock() + ahead }, log: systemLog)

func object(_ text: String) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

switch arguments[1] {
case "extension":
    let run = ExtensionRun(object(arguments[5]), recorder: surroundings.recorder())
    say("recorded")
    let shown = DispatchSemaphore(value: 0)
    run.finish { shown.signal() }
    shown.wait()
    say("shown")
case "app":
    let app = surroundings.appRecorder()
    let script = object(arguments[5])
    app.becameActive()
    if let token = script["token"] as? String {
        app.registrar?.change { $0.add(.init(text: token, kind: .alert, topic: "com.example.shop")) }
    }
    for tap in script["taps"] as? [[String: Any]] ?? [] {
        let action = tap["action"] as? String ?? "com.apple.UNNotificationDefaultActionIdentifier"
        app.responded(
            tap["payload"] as? [String: Any] ?? [:], actionIdentifier: action, isInBackground: false)
        say("recorded")
    }
    for _ in 0..<600 {
        if await app.synchronize() == .done, surroundings.spool.files().isEmpty { exit(0) }
        try? await Task.sleep(nanoseconds: 100_000_000)
    }
    exit(1)
default: exit(64)
}
