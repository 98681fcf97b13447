internal import Crypto
internal import Foundation

/// Chunks of a file, encrypted with AES-256-GCM. The nonce of a chunk is its number. Each chunk is
/// authenticated with the header and whether it is the last one, so that no chunk can be exchanged, removed
/// or cut off unnoticed. The key is derived with a salt of this file alone, so no nonce is used twice.
///
/// A chunk is 4 bytes (big endian: its length, the highest bit set in the last), ciphertext and 16-byte tag.
struct ChunkSeal {
    static let size = 1 << 20
    static let tagSize = 16
    static let lastBit: UInt32 = 1 << 31

    private let key: SymmetricKey
    private let headerDigest: [UInt8]
    private(set) var number: UInt64 = 0

    init(key: SymmetricKey, header: Data) {
        self.key = key
        headerDigest = Array(SHA256.hash(data: header))
    }

    private func nonce() throws -> AES.GCM.Nonce {
        try AES.GCM.Nonce(data: [0, 0, 0, 0] + withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }

    mutating func seal(_ bytes: Data, isLast: Bool) throws -> Data {
        let box = try AES.GCM.seal(
            bytes, using: key, nonce: nonce(), authenticating: headerDigest + [isLast ? 1 : 0])
        number += 1
        let length = UInt32(bytes.count) | (isLast ? Self.lastBit : 0)
        return withUnsafeBytes(of: length.bigEndian) { Data($0) } + box.ciphertext + box.tag
    }

    mutating func open(_ ciphertext: Data, tag: Data, isLast: Bool) throws -> Data {
        do {
            let box = try AES.GCM.SealedBox(nonce: nonce(), ciphertext: ciphertext, tag: tag)
            let bytes = try AES.GCM.open(box, using: key, authenticating: headerDigest + [isLast ? 1 : 0])
            number += 1
            return bytes
        } catch {
            throw number == 0 ? BackupError.wrongPassphrase : BackupError.damaged
        }
    }
}

/// Writes a backup next to its final path, and moves it there when it is complete.
final class SealedFileWriter {
    private let path: String
    private let draft: String
    private let file: FileHandle
    private var seal: ChunkSeal
    private var buffer = Data()
    private var isDone = false

    init(path: String, passphrase: String, header: BackupHeader = BackupHeader()) throws {
        guard !FileManager.default.fileExists(atPath: path) else { throw BackupError.alreadyThere(path) }
        self.path = path
        draft = "\(path).\(UUID().uuidString.prefix(8)).part"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw BackupError.notWritten(path: path, reason: String(cString: strerror(errno)))
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let encoded = try JSONEncoder().encode(header)
        seal = ChunkSeal(key: try header.key(passphrase), header: encoded)
        let length = withUnsafeBytes(of: UInt32(encoded.count).bigEndian) { Data($0) }
        try put(Data(BackupHeader.magic) + length + encoded)
    }

    deinit { if !isDone { unlink(draft) } }

    func append(_ bytes: Data) throws {
        buffer.append(bytes)
        while buffer.count >= ChunkSeal.size {
            try put(seal.seal(buffer.prefix(ChunkSeal.size), isLast: false))
            buffer = Data(buffer.dropFirst(ChunkSeal.size))
        }
    }

    /// Writes the buffered bytes as a chunk, so that a new one begins.
    func flush() throws {
        try put(seal.seal(buffer, isLast: false))
        buffer = Data()
    }

    /// Moves the complete file to its final path. When this returns, the file is on disk.
    func finish() throws {
        try put(seal.seal(buffer, isLast: true))
        try writing { try file.synchronize() }
        // `link` fails if the name was taken meanwhile. exFAT and some network drives do not support links.
        if link(draft, path) == 0 {
            unlink(draft)
        } else {
            guard errno != EEXIST, access(path, F_OK) != 0 else { throw BackupError.alreadyThere(path) }
            guard rename(draft, path) == 0 else {
                throw BackupError.notWritten(path: path, reason: String(cString: strerror(errno)))
            }
        }
        isDone = true
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        // Some file systems cannot sync a folder; the file's own bytes are on disk by now.
        fsync(folder)
        close(folder)
    }

    private func put(_ bytes: Data) throws {
        try writing { try file.write(contentsOf: bytes) }
    }

    private func writing(_ write: () throws -> Void) throws {
        do {
            try write()
        } catch {
            throw BackupError.notWritten(path: path, reason: error.localizedDescription)
        }
    }
}

/// Reads a backup, chunk by chunk.
final class SealedFileReader {
    private let file: FileHandle
    private var seal: ChunkSeal
    private var isAtEnd = false

    init(path: String, passphrase: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw BackupError.unreadable("\(path) does not exist or cannot be read")
        }
        let start = try file.read(upToCount: BackupHeader.magic.count + 4) ?? Data()
        guard start.prefix(BackupHeader.magic.count).elementsEqual(BackupHeader.magic),
            start.count == BackupHeader.magic.count + 4
        else { throw BackupError.unreadable("\(path) is not a Landfall backup") }
        let length = Int(Self.number(start.suffix(4)))
        guard length <= BackupHeader.longest, let encoded = try file.read(upToCount: length),
            encoded.count == length, let header = try? JSONDecoder().decode(BackupHeader.self, from: encoded)
        else { throw BackupError.unreadable("its header is damaged") }
        self.file = file
        seal = ChunkSeal(key: try header.key(passphrase), header: encoded)
    }

    /// The next chunk; `nil` after the last one.
    /// - Throws: ``BackupError``
    func next() throws -> Data? {
        guard !isAtEnd else { return nil }
        let length = Self.number(try take(4))
        let isLast = length & ChunkSeal.lastBit != 0
        let count = Int(length & ~ChunkSeal.lastBit)
        guard count <= ChunkSeal.size else { throw BackupError.damaged }
        let ciphertext = try take(count)
        let bytes = try seal.open(ciphertext, tag: try take(ChunkSeal.tagSize), isLast: isLast)
        if isLast {
            isAtEnd = true
            guard try (file.read(upToCount: 1) ?? Data()).isEmpty else { throw BackupError.damaged }
        }
        return bytes
    }

    private func take(_ count: Int) throws -> Data {
        guard count > 0 else { return Data() }
        let bytes = try file.read(upToCount: count) ?? Data()
        guard bytes.count == count else { throw BackupError.truncated }
        return bytes
    }

    private static func number(_ bytes: Data) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
