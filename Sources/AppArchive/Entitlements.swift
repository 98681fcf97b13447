internal import Foundation

/// What a program may do, as its signature says.
struct Entitlements {
    private let values: [String: Any]

    /// - Parameter plist: a property list, XML or binary.
    init?(plist: Data) {
        guard let values = PropertyList.dictionary(plist) else { return nil }
        self.values = values
    }

    init(_ values: [String: Any]) {
        self.values = values
    }

    var appGroups: [String] { values["com.apple.security.application-groups"] as? [String] ?? [] }

    /// `development` or `production`; `nil` without push notifications.
    var apsEnvironment: String? {
        (values["aps-environment"] ?? values["com.apple.developer.aps-environment"]) as? String
    }

    /// Those in a program's signature: one Mach-O file (`<mach-o/loader.h>`) or several (`<mach-o/fat.h>`).
    ///
    /// - Returns: `nil` if it is not signed, as builds for the simulator are, or not a program.
    static func signed(into program: Data) -> Entitlements? {
        let bytes = ByteReader(program)
        guard bytes.big32(0) == 0xCAFE_BABE, let count = bytes.big32(4), count <= 64 else {
            return signature(of: program)
        }
        for number in 0..<count {
            guard let offset = bytes.big32(8 + number * 20 + 8), let size = bytes.big32(8 + number * 20 + 12),
                let slice = bytes.slice(offset, size), let found = signature(of: slice)
            else { continue }
            return found
        }
        return nil
    }

    private static let codeSignature = 0x1D

    private static func signature(of program: Data) -> Entitlements? {
        let bytes = ByteReader(program)
        // 64 bits, little-endian: every device that runs iOS 15.
        guard bytes.little32(0) == 0xFEED_FACF, let commands = bytes.little32(16), commands <= 10_000 else {
            return nil
        }
        var position = 32
        for _ in 0..<commands {
            guard let command = bytes.little32(position), let size = bytes.little32(position + 4), size >= 8
            else { return nil }
            if command == codeSignature, let offset = bytes.little32(position + 8),
                let length = bytes.little32(position + 12), let signature = bytes.slice(offset, length)
            {
                return entitlements(in: ByteReader(signature))
            }
            position += size
        }
        return nil
    }

    /// The signature consists of blobs, all of it big-endian; the one of type 5 is the property list.
    private static func entitlements(in signature: ByteReader) -> Entitlements? {
        guard signature.big32(0) == 0xFADE_0CC0, let count = signature.big32(8), count <= 1_000 else {
            return nil
        }
        for number in 0..<count {
            guard signature.big32(12 + number * 8) == 5, let offset = signature.big32(16 + number * 8),
                signature.big32(offset) == 0xFADE_7171, let length = signature.big32(offset + 4), length >= 8,
                let plist = signature.slice(offset + 8, length - 8)
            else { continue }
            return Entitlements(plist: plist)
        }
        return nil
    }
}

/// A provisioning profile: which programs it lets run with which entitlements, and until when.
struct ProvisioningProfile {
    let entitlements: Entitlements
    /// `TEAM.com.example.shop`, or with an asterisk at the end.
    let applicationIdentifier: String
    let expiresAt: Date?

    /// - Parameter message: a signed message around a property list, which is there in plain text.
    init?(_ message: Data) {
        guard let start = message.range(of: Data("<?xml".utf8)),
            let end = message.range(of: Data("</plist>".utf8), in: start.lowerBound..<message.endIndex),
            let values = PropertyList.dictionary(message[start.lowerBound..<end.upperBound]),
            let entitlements = values["Entitlements"] as? [String: Any]
        else { return nil }
        self.entitlements = Entitlements(entitlements)
        applicationIdentifier =
            (entitlements["application-identifier"] ?? entitlements["com.apple.application-identifier"])
            as? String ?? ""
        expiresAt = values["ExpirationDate"] as? Date
    }

    func covers(bundleID: String) -> Bool {
        // Without the team.
        let pattern = applicationIdentifier.split(separator: ".", maxSplits: 1).dropFirst().joined()
        return pattern.hasSuffix("*") ? bundleID.hasPrefix(pattern.dropLast()) : bundleID == pattern
    }
}

enum PropertyList {
    static func dictionary(_ plist: Data) -> [String: Any]? {
        (try? PropertyListSerialization.propertyList(from: plist, format: nil)) as? [String: Any]
    }
}
