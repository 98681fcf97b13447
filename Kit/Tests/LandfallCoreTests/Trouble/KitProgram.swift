#if os(Linux)
    import Foundation
    import Glibc

    @testable import LandfallCore

    /// A program with the kit: the tests' own binary, started again by ``Program``. It does what standard
    /// input says, and prints one line for each line, so that it can be killed at any moment while a test
    /// knows what it had said.
    public final class KitProgram {
        static let flag = "--kit-program"

        private let spool: Spool
        private let recorder: Recorder
        private let clockOffset = Locked<Int64>(0)
        private let disk: URL

        /// Runs instead of the tests if the arguments say so.
        public static func runIfAsked() async {
            let arguments = CommandLine.arguments
            guard arguments.dropFirst().first == flag, arguments.count == 5 else { return }
            guard let url = URL(string: arguments[3]), let files = Int(arguments[4]) else { exit(64) }
            await KitProgram(URL(fileURLWithPath: arguments[2]), url, files: files).run()
            exit(0)
        }

        private init(_ folder: URL, _ server: URL, files: Int) {
            disk = folder
            var bounds = Spool.Bounds()
            bounds.files = files
            var limits = Uploader.Bounds()
            limits.plainBytes = .max
            limits.secondsPerRequest = 60
            spool = Spool(folder: Program.spoolFolder(in: folder), isShared: true, bounds: bounds)
            recorder = Recorder(
                Configuration(url: server, key: "lf_device_a"), spool: spool,
                identity: Identity(SecretFiles(folder: folder.appendingPathComponent("keychain"))),
                transport: SessionTransport(), bounds: limits,
                clock: { [clockOffset] in systemClock() + clockOffset.use { $0 } })
        }

        private func run() async {
            while let line = Self.nextLine() {
                let words = line.split(separator: " ")
                let numbers = words.dropFirst().compactMap { Int($0) }
                switch words.first {
                case "clock": clockOffset.use { $0 = Int64(numbers[0]) }
                case "record": say(record(numbers[0]))
                case "recordMany": await record(numbers[0]..<numbers[1], uploadEvery: numbers[2])
                case "extension": await runExtension(numbers[0])
                case "upload": say("\(await recorder.upload(within: 120))")
                case "waiting": say("\(spool.files().count)")
                case "becomeNobody": say("\(becomeNobody())")
                case "fill": SmallDisk.fill(disk)
                case "makeRoom": SmallDisk.makeRoom(disk)
                case "limitFiles": SmallDisk.limitFiles(to: numbers.first)
                case "allowWriting": say("\(SmallDisk.allowWriting(numbers[0] == 1, to: disk))")
                case "list": say(SmallDisk.list(disk).joined(separator: " "))
                default: exit(64)
                }
            }
        }

        /// `readLine()` reads again for as long as `errno` is `EINTR`, which the end of the input does not
        /// set: an old value would keep the program alive permanently.
        private static func nextLine() -> String? {
            errno = 0
            return readLine()
        }

        private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

        private func record(_ number: Int) -> String {
            guard let event = recorder.event(.arrival, of: payload(number)) else { exit(65) }
            return recorder.record(event) ? "disk" : "memory"
        }

        private func record(_ numbers: Range<Int>, uploadEvery count: Int) async {
            for number in numbers {
                say("\(record(number)) \(number)")
                if number.isMultiple(of: count) { await recorder.upload(within: 120) }
            }
            say("finished")
        }

        private func runExtension(_ number: Int) async {
            let run = ExtensionRun(payload(number), recorder: recorder)
            await withCheckedContinuation { shown in run.finish(grace: 120) { shown.resume() } }
            say("shown")
        }

        /// Gives up root's rights, which ignore permissions. Another user has none to give up.
        private func becomeNobody() -> Bool {
            guard geteuid() == 0 else { return true }
            return setgroups(0, nil) == 0 && setgid(Program.nobody) == 0 && setuid(Program.nobody) == 0
        }
    }
#endif
