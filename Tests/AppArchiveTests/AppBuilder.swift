import CZlib
import Foundation

@testable import AppArchive

/// An app's archive, built byte by byte.
struct AppBuilder {
    var appPlist: [String: Any] = [
        "CFBundleIdentifier": "com.example.shop", "CFBundleExecutable": "Shop", "MinimumOSVersion": "15.0",
        "LandfallURL": "https://push.example.com", "LandfallDeviceKey": "lf_device_a",
        "LandfallAppGroup": "group.shop",
    ]
    var servicePlist: [String: Any]? = [
        "CFBundleIdentifier": "com.example.shop.Service", "CFBundleExecutable": "Service",
        "MinimumOSVersion": "15.0",
        "LandfallURL": "https://push.example.com", "LandfallDeviceKey": "lf_device_a",
        "LandfallAppGroup": "group.shop",
        "NSExtension": ["NSExtensionPointIdentifier": "com.apple.usernotifications.service"],
    ]
    var appEntitlements: [String: Any]? = [
        "aps-environment": "production", "com.apple.security.application-groups": ["group.shop"],
    ]
    var serviceEntitlements: [String: Any]? = ["com.apple.security.application-groups": ["group.shop"]]
    var appProfile: Data? = AppBuilder.profile("TEAM.com.example.shop")
    var serviceProfile: Data? = AppBuilder.profile("TEAM.com.example.shop.Service")
    var hasPrivacyManifest = true
    /// Further extensions, by their folder.
    var others: [String: [String: Any]] = [:]
    var isFat = false

    static func profile(_ id: String, expires: String = "2027-01-01T00:00:00Z") -> Data {
        let plist = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>Entitlements</key><dict>\
            <key>application-identifier</key><string>\(id)</string></dict><key>ExpirationDate</key><date>\(expires)</date>\
            </dict></plist>
            """
        return Data([0x30, 0x82, 0xFF]) + Data(plist.utf8) + Data([0x00, 0xFE])
    }

    var files: [(path: String, bytes: Data)] {
        get throws {
            var files = try program("Payload/Shop.app", "Shop", appPlist, appEntitlements, appProfile)
            if let servicePlist {
                files += try program(
                    "Payload/Shop.app/PlugIns/Service.appex", "Service", servicePlist, serviceEntitlements,
                    serviceProfile)
            }
            for (folder, plist) in others {
                files += try program("Payload/Shop.app/" + folder, "Other", plist, nil, nil)
            }
            if hasPrivacyManifest {
                files.append(("Payload/Shop.app/Kit.bundle/PrivacyInfo.xcprivacy", Data("x".utf8)))
            }
            return files
        }
    }

    private func program(
        _ folder: String, _ name: String, _ plist: [String: Any], _ entitlements: [String: Any]?,
        _ profile: Data?
    ) throws -> [(path: String, bytes: Data)] {
        let info = try PropertyListSerialization.data(fromPropertyList: plist, format: .binary, options: 0)
        var files = [
            (folder + "/Info.plist", info), (folder + "/" + name, try Self.machO(entitlements, isFat: isFat)),
        ]
        if let profile { files.append((folder + "/embedded.mobileprovision", profile)) }
        return files
    }

    /// A program with a code signature, and nothing else.
    static func machO(_ entitlements: [String: Any]?, isFat: Bool) throws -> Data {
        var signature = Data()
        if let entitlements {
            let plist = try PropertyListSerialization.data(
                fromPropertyList: entitlements, format: .xml, options: 0)
            signature = big(0xFADE_0CC0) + big(UInt32(28 + plist.count)) + big(1) + big(5) + big(20)
            signature += big(0xFADE_7171) + big(UInt32(8 + plist.count)) + plist
        }
        let commands = entitlements == nil ? 0 : 1
        var program = little(0xFEED_FACF) + Data(count: 12) + little(UInt32(commands)) + Data(count: 12)
        if entitlements != nil {
            program += little(0x1D) + little(16) + little(48) + little(UInt32(signature.count)) + signature
        }
        guard isFat else { return program }
        return big(0xCAFE_BABE) + big(1) + Data(count: 8) + big(28) + big(UInt32(program.count))
            + Data(count: 4) + program
    }

    static func little(_ number: UInt32) -> Data { withUnsafeBytes(of: number.littleEndian) { Data($0) } }
    static func big(_ number: UInt32) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }
    private static func short(_ number: Int) -> Data {
        withUnsafeBytes(of: UInt16(number).littleEndian) { Data($0) }
    }

    /// The .ipa, every other file of it deflated.
    func archive() throws -> Data {
        var archive = Data()
        var directory = Data()
        let files = try files
        for (number, file) in files.enumerated() {
            let isDeflated = number.isMultiple(of: 2)
            let packed = isDeflated ? Self.deflated(file.bytes) : file.bytes
            let sizes = Self.little(UInt32(packed.count)) + Self.little(UInt32(file.bytes.count))
            let common =
                Self.short(20) + Self.short(0) + Self.short(isDeflated ? 8 : 0) + Data(count: 4)
                + Self.checksum(file.bytes) + sizes
                + Self.short(file.path.utf8.count) + Self.short(0)
            directory += Self.little(0x0201_4b50) + Self.short(20) + common + Data(count: 10)
            directory += Self.little(UInt32(archive.count)) + Data(file.path.utf8)
            archive += Self.little(0x0403_4b50) + common + Data(file.path.utf8) + packed
        }
        let offset = archive.count
        archive +=
            directory + Self.little(0x0605_4b50) + Data(count: 4) + Self.short(files.count)
            + Self.short(files.count)
        archive += Self.little(UInt32(directory.count)) + Self.little(UInt32(offset)) + Self.short(0)
        return archive
    }

    private static func checksum(_ bytes: Data) -> Data {
        little(
            bytes.withUnsafeBytes {
                UInt32(crc32(0, $0.bindMemory(to: Bytef.self).baseAddress, uInt($0.count)))
            })
    }

    private static func deflated(_ bytes: Data) -> Data {
        var stream = z_stream()
        deflateInit2_(
            &stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var bytes = bytes
        var output = Data(count: bytes.count + 64)
        bytes.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { output in
                stream.next_in = input.bindMemory(to: Bytef.self).baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.bindMemory(to: Bytef.self).baseAddress
                stream.avail_out = uInt(output.count)
                deflate(&stream, Z_FINISH)
            }
        }
        return output.prefix(Int(stream.total_out))
    }
}
