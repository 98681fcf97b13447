internal import CLandfallZlib
internal import Foundation

extension Data {
    /// The bytes, compressed; `nil` if zlib has no memory.
    var gzipped: Data? {
        var stream = z_stream()
        // 15 bits of window, plus 16 for gzip's header.
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let input = self as NSData
        guard let output = NSMutableData(length: Int(deflateBound(&stream, UInt(count)))) else { return nil }
        stream.next_in = UnsafeMutableRawPointer(mutating: input.bytes).assumingMemoryBound(to: Bytef.self)
        stream.avail_in = uInt(input.length)
        stream.next_out = output.mutableBytes.assumingMemoryBound(to: Bytef.self)
        stream.avail_out = uInt(output.length)
        let result = withExtendedLifetime(input) { deflate(&stream, Z_FINISH) }
        guard result == Z_STREAM_END else { return nil }
        output.length = Int(stream.total_out)
        return Data(referencing: output)
    }
}
