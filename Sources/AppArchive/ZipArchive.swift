internal import CZlib
internal import Foundation

/// Files by their paths, in an archive or a folder.
protocol AppFiles {
    var paths: [String] { get }
    /// `nil` if there is no such file.
    func contents(of path: String) throws(ArchiveError) -> Data?
}

/// A ZIP archive (PKWARE's APPNOTE.TXT, 4.3), as far as apps need it: stored and deflated entries, and ZIP64.
struct ZipArchive: AppFiles {
    private struct Entry {
        let method: Int
        let checksum: Int
        let packedSize: Int
        let size: Int
        let headerOffset: Int
    }

    private static let largest = 512 << 20
    private let bytes: ByteReader
    private var entries: [String: Entry] = [:]

    var paths: [String] { entries.keys.sorted() }

    init(_ archive: Data) throws(ArchiveError) {
        bytes = ByteReader(archive)
        var (offset, count) = try directory()
        while count > 0 {
            let (name, entry, length) = try entry(at: offset)
            entries[name] = entry
            offset += length
            count -= 1
        }
    }

    // MARK: - The directory

    /// The offset and the number of entries, from the record at the end, which a comment may follow.
    private func directory() throws(ArchiveError) -> (offset: Int, count: Int) {
        let first = max(0, bytes.count - 65_557)
        var position = bytes.count - 22
        while position >= first {
            if bytes.little32(position) == 0x0605_4b50 { break }
            position -= 1
        }
        guard position >= first, let count = bytes.little16(position + 10),
            let offset = bytes.little32(position + 16)
        else { throw .notAnArchive }
        guard count == 0xFFFF || offset == 0xFFFF_FFFF else { return (offset, count) }
        // ZIP64: the locator is before the record, and leads to another one.
        guard bytes.little32(position - 20) == 0x0706_4b50, let record = bytes.little64(position - 12),
            record <= bytes.count, bytes.little32(record) == 0x0606_4b50,
            let longCount = bytes.little64(record + 32),
            let longOffset = bytes.little64(record + 48), longOffset <= bytes.count, longCount <= bytes.count
        else { throw .damaged(what: "its ZIP64 directory is missing") }
        return (longOffset, longCount)
    }

    private func entry(at offset: Int) throws(ArchiveError) -> (name: String, entry: Entry, length: Int) {
        guard bytes.little32(offset) == 0x0201_4b50, let method = bytes.little16(offset + 10),
            let checksum = bytes.little32(offset + 16),
            let packedSize = bytes.little32(offset + 20), let size = bytes.little32(offset + 24),
            let nameLength = bytes.little16(offset + 28), let extraLength = bytes.little16(offset + 30),
            let commentLength = bytes.little16(offset + 32), let headerOffset = bytes.little32(offset + 42),
            let name = bytes.slice(offset + 46, nameLength),
            let extra = bytes.slice(offset + 46 + nameLength, extraLength)
        else { throw .damaged(what: "its directory ends early") }
        let sizes = Self.sizes([size, packedSize, headerOffset], extra)
        return (
            String(decoding: name, as: UTF8.self),
            Entry(
                method: method, checksum: checksum, packedSize: sizes[1], size: sizes[0],
                headerOffset: sizes[2]),
            46 + nameLength + extraLength + commentLength
        )
    }

    /// Sizes that do not fit into 32 bits are in an extra field, in this order.
    private static func sizes(_ sizes: [Int], _ extra: Data) -> [Int] {
        let extra = ByteReader(extra)
        var position = 0
        while let kind = extra.little16(position), let length = extra.little16(position + 2) {
            if kind == 1 {
                var next = position + 4
                return sizes.map { size in
                    guard size == 0xFFFF_FFFF, let long = extra.little64(next) else { return size }
                    next += 8
                    return long
                }
            }
            position += 4 + length
        }
        return sizes
    }

    // MARK: - Entries

    func contents(of path: String) throws(ArchiveError) -> Data? {
        guard let entry = entries[path] else { return nil }
        guard entry.size <= Self.largest, entry.packedSize <= Self.largest else {
            throw .tooLarge(entry: path)
        }
        guard entry.headerOffset <= bytes.count, bytes.little32(entry.headerOffset) == 0x0403_4b50,
            let nameLength = bytes.little16(entry.headerOffset + 26),
            let extraLength = bytes.little16(entry.headerOffset + 28),
            let packed = bytes.slice(entry.headerOffset + 30 + nameLength + extraLength, entry.packedSize)
        else { throw .damaged(what: "\(path) is incomplete") }
        let contents: Data?
        switch entry.method {
        case 0: contents = packed
        case 8: contents = Self.inflated(packed, size: entry.size)
        default: throw .unsupported(entry: path, method: entry.method)
        }
        // Foundation does not survive every property list that is damaged.
        guard let contents, Self.checksum(of: contents) == entry.checksum else {
            throw .damaged(what: "\(path) is not what it was")
        }
        return contents
    }

    private static func checksum(of bytes: Data) -> Int {
        bytes.withUnsafeBytes { Int(crc32(0, $0.bindMemory(to: Bytef.self).baseAddress, uInt($0.count))) }
    }

    /// - Parameter size: as the directory states it. More is never unpacked.
    private static func inflated(_ packed: Data, size: Int) -> Data? {
        var stream = z_stream()
        let streamSize = Int32(MemoryLayout<z_stream>.size)
        // Negative: without a header, as in ZIP.
        guard inflateInit2_(&stream, -15, ZLIB_VERSION, streamSize) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var packed = packed
        // zlib needs somewhere to write, even for nothing.
        var unpacked = Data(count: max(size, 1))
        let result = packed.withUnsafeMutableBytes { input in
            unpacked.withUnsafeMutableBytes { output in
                stream.next_in = input.bindMemory(to: Bytef.self).baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.bindMemory(to: Bytef.self).baseAddress
                stream.avail_out = uInt(size)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END, Int(stream.total_out) == size else { return nil }
        return unpacked.prefix(size)
    }
}

/// An .app folder, or one that contains one, such as an .xcarchive.
struct AppFolder: AppFiles {
    private let parent: URL
    let paths: [String]

    init(_ folder: URL) {
        parent = folder.deletingLastPathComponent()
        let inside = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        // With the folder's own name, because it may be the .app.
        paths = inside.sorted().map { folder.lastPathComponent + "/" + $0 }
    }

    func contents(of path: String) throws(ArchiveError) -> Data? {
        let file = parent.appendingPathComponent(path)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw .unreadable(path: file.path, reason: error.localizedDescription)
        }
    }
}
