internal import Crypto
internal import CryptoExtras
internal import Foundation

/// The part of a backup that is readable without the passphrase: how the key is derived from it. Changing
/// it makes the first chunk unreadable, because every chunk is authenticated together with the header.
struct BackupHeader: Codable, Sendable {
    /// The file begins with these bytes, the header's length in 4 bytes (big endian) and the header as JSON.
    static let magic = Array("landfall backup\n".utf8)
    static let longest = 4_096

    var format = 1
    var kdf = "scrypt"
    /// scrypt's cost: 128 · `rounds` · `blockSize` bytes of memory, 128 MiB (OWASP's advice for passwords).
    var rounds = 1 << 17
    var blockSize = 8
    var parallelism = 1
    var salt = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }

    /// - Throws: ``BackupError/unreadable(_:)`` if a value is outside the accepted range.
    func key(_ passphrase: String) throws -> SymmetricKey {
        guard format == 1, kdf == "scrypt", (1 << 10...1 << 20).contains(rounds), rounds.nonzeroBitCount == 1,
            (1...16).contains(blockSize), (1...4).contains(parallelism), salt.count == 32
        else { throw BackupError.unreadable("this version of Landfall does not know its format, \(format)") }
        return try KDF.Scrypt.deriveKey(
            from: Data(passphrase.utf8), salt: salt, outputByteCount: 32, rounds: rounds,
            blockSize: blockSize,
            parallelism: parallelism)
    }
}

/// The sealed first chunk, which a restore must read before it touches a database.
public struct BackupManifest: Codable, Equatable, Sendable {
    /// RFC 3339.
    public let createdAt: String
    /// The server's major version.
    public let postgresVersion: Int
    /// The major version of `pg_dump`; an older `pg_restore` cannot read what it wrote.
    public let dumpVersion: Int
    /// The names of the migrations applied to the database.
    public let migrations: [String]
    /// Base64.
    let tokenKey: String
    /// The schema of the data; `nil` for `landfall`.
    let schema: String?
    /// The number of the cell; `nil` for cell 0.
    let cell: UInt8?
}
