#if os(Linux)
    import Foundation
    import Testing

    @testable import LandfallCore

    /// The app and its extension write to one spool, and upload from it, at the same time.
    @Suite(.timeLimit(.minutes(10)), .serialized) struct TwoProgramsTests {
        private let folder: TemporaryFolder
        private let ledger = Ledger()
        private var spool: Spool { Spool(folder: Program.spoolFolder(in: folder.url), isShared: true) }

        init() throws { folder = try TemporaryFolder() }

        /// What programs said, and what was seen on the disk.
        private struct Life: Sendable {
            var onDisk: Set<String> = []
            var kills = 0
            var crashes = 0
            var torn: [String] = []
        }

        /// Lets programs record these events, one after the other, and kills each at random.
        private func live(_ numbers: Range<Int>, server: URL, clock: Int64, seed: UInt64) throws -> Life {
            var random = SmallRandom(state: seed)
            var life = Life()
            var next = numbers.lowerBound
            while next < numbers.upperBound {
                let program = try Program(folder.url, server: server)
                program.tell("clock \(clock)")
                program.tell("recordMany \(next) \(numbers.upperBound) 20")
                for _ in 0..<random.next(below: 200) {
                    guard let line = try program.nextLine() else {
                        life.crashes += 1
                        break
                    }
                    guard note(line, &life, &next) else {
                        #expect(program.end())
                        return life
                    }
                }
                usleep(UInt32(random.next(below: 3_000)))
                program.killAtOnce()
                life.kills += 1
                look(&life)
                while let line = try program.nextLine(), note(line, &life, &next) {}
            }
            return life
        }

        /// - Returns: `false` after the last line.
        private func note(_ line: String, _ life: inout Life, _ next: inout Int) -> Bool {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int(words[1]) else { return false }
            if words[0] == "disk" { life.onDisk.insert(id(number)) }
            next = number + 1
            return true
        }

        /// Reads the spool without the kit, while the other program uses it.
        private func look(_ life: inout Life) {
            let place = Program.spoolFolder(in: folder.url).appendingPathComponent("spool")
            for name in (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? [] {
                // Uploaded meanwhile.
                guard let bytes = try? Data(contentsOf: place.appendingPathComponent(name)) else { continue }
                let event = (try? JSONSerialization.jsonObject(with: bytes)) as? [String: Any]
                guard let id = event?["notification_id"] as? String else {
                    life.torn.append("\(name): \(String(decoding: bytes, as: UTF8.self))")
                    continue
                }
                life.onDisk.insert(id)
            }
        }

        private func uploadRest(_ server: URL) async throws {
            try await onThread { [folder] in
                let program = try Program(folder.url, server: server)
                for _ in 0..<50 where try program.ask("upload") == "done" { break }
                #expect(try program.ask("waiting") == "0")
                #expect(program.end())
            }
        }

        @Test(
            "are killed at any moment: what was on disk is recorded once, and no file is ever half an event")
        func killed() async throws {
            // The server has recorded what every fifth request carried, and its response is lost.
            let server = try ledger.server { $0.isMultiple(of: 5) }
            // The second program's clock is two days ahead. Some notifications are reported by both.
            async let first = onThread { try live(0..<1_500, server: server.url, clock: 0, seed: 1) }
            async let second = onThread {
                try live(1_200..<2_700, server: server.url, clock: 172_800_000, seed: 2)
            }
            let lives = try await [first, second]
            try await uploadRest(server.url)

            let onDisk = lives.reduce(into: Set()) { $0.formUnion($1.onDisk) }
            #expect(onDisk.count > 2_500)
            #expect(onDisk.subtracting(ledger.events) == [])
            #expect(ledger.events.subtracting((0..<2_700).map { id($0) }) == [])
            #expect(ledger.damaged == [])
            #expect(lives.flatMap(\.torn) == [])
            #expect(lives.map(\.crashes) == [0, 0])
            #expect(lives.allSatisfy { $0.kills > 3 })
            #expect(ledger.dropped == 0 && spool.droppedCount == 0)
            let bad = spool.folder.appendingPathComponent("bad")
            #expect(try FileManager.default.contentsOfDirectory(atPath: bad.path) == [])
        }

        @Test(
            "fill the spool while there is no network: the bound holds, and what is dropped is counted once")
        func full() async throws {
            let server = try ledger.server { $0.isMultiple(of: 2) }
            ledger.isUp = false
            let most = Locked(0)
            async let watched: Void = onThread { [spool] in
                while !ledger.isUp { most.use { $0 = max($0, spool.files().count) } }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for numbers in [0..<600, 600..<1_200] {
                    group.addTask {
                        try await onThread { [folder] in
                            let program = try Program(folder.url, server: server.url, files: 50)
                            program.tell("recordMany \(numbers.lowerBound) \(numbers.upperBound) 30")
                            while let line = try program.nextLine(), line != "finished" {
                                #expect(line.hasPrefix("disk "))
                            }
                            #expect(program.end())
                        }
                    }
                }
                try await group.waitForAll()
            }
            // Both may write at once; and a folder is not listed at one moment.
            #expect(spool.files().count <= 51)
            ledger.isUp = true
            try await watched
            #expect((1...60).contains(most.use { $0 }))

            try await uploadRest(server.url)
            #expect(ledger.events.count >= 49)
            #expect(ledger.events.count + ledger.dropped == 1_200)
            #expect(ledger.damaged == [] && spool.droppedCount == 0)
        }
    }

    /// Random numbers that are the same each time.
    private struct SmallRandom {
        var state: UInt64

        mutating func next(below bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
    }
#endif
