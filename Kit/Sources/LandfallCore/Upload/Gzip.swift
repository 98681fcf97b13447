internal import CLandfallZlib
internal import Foundation

extension Data {
    /// The same bytes, compressed; `nil` if zlib has no memory.
    var gzipped: Data? {
        var stream = z_stream()
        // 15 bits of window, plus 16 for gzip's header.
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var output = Data(count: Int(deflateBound(&stream, UInt(count))))
        var input = self
        let result = input.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { output in
                stream.next_in = input.bindMemory(to: Bytef.self).baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.bindMemory(to: Bytef.self).baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else { return nil }
        return output.prefix(Int(stream.total_out))
    }
}
