#if os(Linux)
    import Foundation
    import Glibc

    /// What a program does to its own disk. A mount is in a namespace of the program, so it disappears with
    /// it.
    enum SmallDisk {
        private static let filler = "filler"

        /// Starts what its arguments say in a namespace of mounts, with a file system of 128 kB at the folder
        /// that comes first. Only root may, and not everywhere.
        private static let launcher = [
            "/usr/bin/env", "unshare", "--mount", "sh", "-ec",
            #"mount -t tmpfs -o mode=0777,size=128k none "$1"; shift; exec "$@""#, "sh",
        ]

        static func launching(_ arguments: [String], on folder: URL) -> [String] {
            launcher + [folder.path] + arguments
        }

        static let isPossible: Bool = {
            let process = Process()
            let arguments = launching(["true"], on: FileManager.default.temporaryDirectory)
            process.executableURL = URL(fileURLWithPath: arguments[0])
            process.arguments = Array(arguments.dropFirst())
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }()

        /// Makes this file system read-only, or writable again.
        static func allowWriting(_ isAllowed: Bool, to folder: URL) -> Bool {
            let flags = UInt(isAllowed ? MS_REMOUNT : MS_REMOUNT | MS_RDONLY)
            return Glibc.mount("tmpfs", folder.path, "tmpfs", flags, nil) == 0
        }

        static func fill(_ folder: URL) {
            let file = open(folder.appendingPathComponent(filler).path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            for size in [4_096, 1] {
                while write(file, [UInt8](repeating: 0, count: size), size) == size {}
            }
            close(file)
        }

        static func makeRoom(_ folder: URL) { unlink(folder.appendingPathComponent(filler).path) }

        /// Lets the program write files of this many bytes, and no more: then the disk is as good as full, in
        /// the middle of a file.
        static func limitFiles(to bytes: Int?) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        }

        /// The files of the spool's folder and their sizes: `spool/0000….json:153`.
        static func list(_ folder: URL) -> [String] {
            let folder = Program.spoolFolder(in: folder)
            let names =
                FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            return names.sorted().compactMap { name in
                var isFolder: ObjCBool = false
                let path = folder.appendingPathComponent(name).path
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
                    !isFolder.boolValue
                else { return nil }
                return "\(name):\((try? Data(contentsOf: URL(fileURLWithPath: path)).count) ?? -1)"
            }
        }
    }
#endif
