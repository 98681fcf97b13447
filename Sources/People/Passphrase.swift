internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import Trust

/// Passphrases are stored as `scrypt$N$r$p$salt$hash`, the last two in base64url, so the cost can be raised.
public enum Passphrase {
    /// In characters.
    public static let shortest = 12
    /// In bytes of UTF-8.
    public static let longest = 1_000

    /// scrypt's N, r and p.
    public struct Cost: Sendable {
        let rounds: Int
        let blockSize: Int
        let parallelism: Int

        /// One of OWASP's equally strong settings, with 32 MiB per sign-in instead of 128 MiB.
        public static let standard = Cost(rounds: 1 << 15, blockSize: 8, parallelism: 3)
        /// A cost for tests of anything but passphrases.
        public static let least = Cost(rounds: 1 << 10, blockSize: 1, parallelism: 1)
    }

    private static let hashSize = 32

    /// Matches no passphrase, and takes as long to compare with as a stored one.
    public static func dummy(_ cost: Cost = .standard) -> String {
        encoded(salt: Data(repeating: 0, count: 16), hash: Data(repeating: 0, count: hashSize), cost)
    }

    /// - Returns: the form in which the passphrase is stored.
    /// - Throws: ``PeopleError/shortPassphrase``, ``PeopleError/longPassphrase``; errors of scrypt.
    public static func hash(_ text: String, _ cost: Cost = .standard) throws -> String {
        guard text.count >= shortest else { throw PeopleError.shortPassphrase }
        guard text.utf8.count <= longest else { throw PeopleError.longPassphrase }
        let salt = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        return encoded(salt: salt, hash: try key(text, salt: salt, cost).withUnsafeBytes { Data($0) }, cost)
    }

    /// Compares in constant time. Without a stored passphrase it takes as long, and returns false.
    public static func matches(_ text: String, _ stored: String?, _ cost: Cost = .standard) -> Bool {
        guard let wanted = Stored(stored ?? dummy(cost)) else { return false }
        let text = text.utf8.count <= longest ? text : ""
        guard let key = try? key(text, salt: wanted.salt, wanted.cost) else { return false }
        return key == SymmetricKey(data: wanted.hash) && stored != nil
    }

    /// It is the same whether a keyboard composes the characters of the passphrase or not.
    private static func key(_ text: String, salt: Data, _ cost: Cost) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: Data(text.precomposedStringWithCanonicalMapping.utf8), salt: salt,
            outputByteCount: hashSize, rounds: cost.rounds, blockSize: cost.blockSize,
            parallelism: cost.parallelism)
    }

    private static func encoded(salt: Data, hash: Data, _ cost: Cost) -> String {
        "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(salt.base64URL)$\(hash.base64URL)"
    }

    private struct Stored {
        let cost: Cost
        let salt: Data
        let hash: Data

        /// `nil` for another format, or a cost beyond what a server should spend.
        init?(_ text: String) {
            let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]),
                let blockSize = Int(parts[2]), let parallelism = Int(parts[3]),
                let salt = Data(base64URL: parts[4]), let hash = Data(base64URL: parts[5]),
                (1 << 10...1 << 20).contains(rounds), rounds.nonzeroBitCount == 1,
                (1...16).contains(blockSize), (1...16).contains(parallelism), hash.count == hashSize
            else { return nil }
            cost = Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
            (self.salt, self.hash) = (salt, hash)
        }
    }
}

/// 256 random bits in a cookie or a link. The database stores only their digest.
public struct Secret: Sendable {
    /// 43 characters of base64url.
    public let text: String

    public static func random() -> Secret {
        Secret(checked: SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64URL)
    }

    /// `nil` if the text cannot be a secret.
    public init?(text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count == 43, let bytes = Data(base64URL: text), bytes.base64URL == text else {
            return nil
        }
        self.text = text
    }

    private init(checked text: String) {
        self.text = text
    }

    /// SHA-256 of the text, 32 bytes.
    public var digest: [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

    /// A code for another purpose that does not reveal the secret.
    func code(for purpose: String) -> String {
        Data(
            HMAC<SHA256>.authenticationCode(
                for: Data(purpose.utf8), using: SymmetricKey(data: Data(text.utf8)))
        ).base64URL
    }
}

/// Returns whether two texts are equal. It compares digests, so the time says nothing about the texts.
public func isEqualInConstantTime(_ left: String, _ right: String) -> Bool {
    SHA256.hash(data: Data(left.utf8)) == SHA256.hash(data: Data(right.utf8))
}
