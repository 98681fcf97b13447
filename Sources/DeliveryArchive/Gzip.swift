internal import CZlib

package enum Gzip {
    /// The bytes as one gzip stream (RFC 1952).
    package static func packed(_ bytes: [UInt8]) throws(ArchiveError) -> [UInt8] {
        var (stream, source) = (z_stream(), bytes)
        // Level 6 and memory 8 are zlib's defaults; 31 is the largest window (15), with gzip's frame (16).
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { throw .noMemory }
        defer { deflateEnd(&stream) }
        let most = Int(deflateBound(&stream, UInt(bytes.count)))
        return source.withUnsafeMutableBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: most) { packed, count in
                (stream.next_in, stream.avail_in) = (source.baseAddress, UInt32(source.count))
                (stream.next_out, stream.avail_out) = (packed.baseAddress, UInt32(packed.count))
                // Everything fits, so this cannot fail.
                deflate(&stream, Z_FINISH)
                count = packed.count - Int(stream.avail_out)
            }
        }
    }
}
