#if os(Linux)
    import Foundation
    import Testing

    @testable import LandfallCore

    /// Disks that are full, or may not be written to. Programs of their own break them, so that the tests'
    /// disk stays whole.
    @Suite(.timeLimit(.minutes(10)), .serialized) struct BrokenDiskTests {
        private let folder: TemporaryFolder
        private let ledger = Ledger()
        private var spoolFolder: URL { Program.spoolFolder(in: folder.url) }

        init() throws { folder = try TemporaryFolder() }

        /// How a disk is full.
        enum Fullness: CaseIterable {
            /// A small file system has no space.
            case disk
            /// A file can only grow to 60 bytes, which is in the middle of an event.
            case limit
        }

        /// The names in the spool's folder of one program, and their sizes.
        private static func events(_ program: Program) throws -> [Substring] {
            try program.ask("list").split(separator: " ").filter { $0.hasPrefix("spool/") }
        }

        @Test(
            "a full disk stops nothing: events are posted from memory, and written when there is space again",
            arguments: SmallDisk.isPossible ? Fullness.allCases : [.limit])
        func full(_ fullness: Fullness) async throws {
            let server = try ledger.server()
            try await onThread { [folder, ledger] in
                let isDisk = fullness == .disk
                let program = try Program(folder.url, server: server.url, hasOwnDisk: isDisk)
                ledger.isUp = false
                #expect(try program.ask("record 1") == "disk")
                let whole = try Self.events(program)
                program.tell(isDisk ? "fill" : "limitFiles 60")
                #expect(try program.ask("record 2") == "memory")
                #expect(try program.ask("record 3") == "memory")
                #expect(try program.ask("extension 4") == "shown")
                #expect(try Self.events(program) == whole)
                #expect(try !program.ask("list").contains("unfinished/"), "half an event")
                #expect(try program.ask("upload") == "waiting")

                // The network returns before there is space.
                ledger.isUp = true
                #expect(try program.ask("upload") == "done")
                #expect(ledger.events == Set((1...4).map { id($0) }))
                #expect(try Self.events(program) == [])

                // Space returns before the network.
                ledger.isUp = false
                // Removing event 1 made room on the disk.
                if isDisk { program.tell("fill") }
                #expect(try program.ask("record 5") == "memory")
                program.tell(isDisk ? "makeRoom" : "limitFiles")
                #expect(try program.ask("record 6") == "disk")
                #expect(try program.ask("upload") == "waiting")
                #expect(try program.ask("waiting") == "2")
                ledger.isUp = true
                #expect(try program.ask("upload") == "done")
                #expect(try program.ask("waiting") == "0")
                #expect(program.end())
            }
            #expect(ledger.events == Set((1...6).map { id($0) }))
            #expect(ledger.damaged == [] && ledger.dropped == 0)
        }

        @Test("a full disk keeps the last hundred events in memory")
        func manyInMemory() async throws {
            let server = try ledger.server()
            ledger.isUp = false
            try await onThread { [folder, ledger] in
                let program = try Program(folder.url, server: server.url)
                _ = try program.ask("record 0")
                program.tell("limitFiles 60")
                program.tell("recordMany 1 151 1000")
                while let line = try program.nextLine(), line != "finished" {
                    #expect(line.hasPrefix("memory "))
                }
                #expect(try program.ask("upload") == "waiting")
                ledger.isUp = true
                #expect(try program.ask("upload") == "done")
                #expect(program.end())
            }
            #expect(ledger.events == Set(([0] + Array(51...150)).map { id($0) }))
            // A byte for each still fits into the limit.
            #expect(ledger.dropped == 50)
        }

        /// How a disk may not be written to.
        enum Refusal: CaseIterable {
            /// Another user's folder.
            case permissions
            /// A file system that is mounted read-only.
            case mount
        }

        /// Makes the folder read-only, or writable again.
        private struct Door {
            let program: Program
            let isMounted: Bool
            let folder: URL

            init(_ refusal: Refusal, _ folder: URL, server: URL) throws {
                self.folder = folder
                isMounted = refusal == .mount
                program = try Program(folder, server: server, hasOwnDisk: isMounted)
                if !isMounted {
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o777], ofItemAtPath: folder.path)
                    #expect(try program.ask("becomeNobody") == "true")
                }
            }

            func set(open isOpen: Bool) throws {
                if isMounted {
                    #expect(try program.ask("allowWriting \(isOpen ? 1 : 0)") == "true")
                    return
                }
                let spool = Program.spoolFolder(in: folder)
                for folder in [spool] + ["spool", "unfinished", "bad"].map(spool.appendingPathComponent) {
                    try FileManager.default.setAttributes(
                        [.posixPermissions: isOpen ? 0o777 : 0o555], ofItemAtPath: folder.path)
                }
            }
        }

        @Test(
            "a folder that becomes read-only: events are posted once, although they cannot be removed",
            arguments: SmallDisk.isPossible ? Refusal.allCases : [.permissions])
        func readOnly(_ refusal: Refusal) async throws {
            let server = try ledger.server()
            try await onThread { [folder, ledger] in
                let door = try Door(refusal, folder.url, server: server.url)
                let program = door.program
                #expect(try program.ask("record 1") == "disk")
                try door.set(open: false)
                #expect(try program.ask("record 2") == "memory")
                for _ in 0..<3 { #expect(try program.ask("upload") == "done") }
                #expect(ledger.requests == [[id(2), id(1)]])
                #expect(try program.ask("waiting") == "1")

                try door.set(open: true)
                #expect(try program.ask("record 3") == "disk")
                #expect(try program.ask("upload") == "done")
                #expect(try program.ask("waiting") == "0")
                #expect(ledger.requests.last == [id(3)])
                #expect(program.end())
            }
            #expect(ledger.damaged == [] && ledger.dropped == 0)
        }

        @Test(
            "a pause holds even if it cannot be stored",
            arguments: SmallDisk.isPossible ? Refusal.allCases : [.permissions])
        func pause(_ refusal: Refusal) async throws {
            let server = try LoopbackServer { _ in
                .init(response: .problem(429, "rate_limited", retryAfter: 600))
            }
            try await onThread { [folder] in
                let door = try Door(refusal, folder.url, server: server.url)
                let program = door.program
                #expect(try program.ask("record 1") == "disk")
                try door.set(open: false)
                for _ in 0..<3 { #expect(try program.ask("upload") == "waiting") }
                try door.set(open: true)
                #expect(program.end())
            }
            #expect(server.received.count == 1)
        }

        @Test("a folder that cannot be created: events are posted from memory", arguments: [true, false])
        func noFolder(isFile: Bool) async throws {
            let server = try ledger.server()
            let place = folder.url.appendingPathComponent("group")
            if isFile {
                try Data("a file".utf8).write(to: place)
            } else {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
                try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: place.path)
            }
            try await onThread { [folder] in
                let program = try Program(folder.url, server: server.url)
                #expect(try program.ask("becomeNobody") == "true")
                #expect(try program.ask("record 1") == "memory")
                #expect(try program.ask("extension 2") == "shown")
                #expect(try program.ask("upload") == "done")
                if isFile {
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o777], ofItemAtPath: folder.url.path)
                    try FileManager.default.removeItem(at: place)
                } else {
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o777], ofItemAtPath: place.path)
                }
                #expect(try program.ask("record 3") == "disk")
                #expect(try program.ask("upload") == "done")
                #expect(program.end())
            }
            #expect(ledger.events == Set((1...3).map { id($0) }))
        }

        @Test(
            "a folder that is removed meanwhile, in whole or in part, is created again",
            arguments: ["", "spool", "unfinished", "bad"])
        func removed(_ part: String) async throws {
            let server = try ledger.server()
            try await onThread { [folder, spoolFolder] in
                let program = try Program(folder.url, server: server.url)
                #expect(try program.ask("record 1") == "disk")
                #expect(try program.ask("upload") == "done")
                try FileManager.default.removeItem(
                    at: part.isEmpty ? spoolFolder : spoolFolder.appendingPathComponent(part))
                #expect(try program.ask("record 2") == "disk")
                #expect(try program.ask("upload") == "done")
                #expect(program.end())
            }
            #expect(ledger.events == [id(1), id(2)])
        }
    }
#endif
