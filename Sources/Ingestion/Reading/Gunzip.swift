internal import CZlib

/// Unpacks one gzip stream (RFC 1952), piece by piece: each unpacked piece is consumed before the next is
/// unpacked, whatever the compression ratio.
public final class Gunzip {
    private static let pieceBytes = 32 * 1_024
    /// The largest window of deflate (15), and only gzip's header and trailer (16).
    private static let windowBits: Int32 = 15 + 16

    /// Allocated, because zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
    private var isComplete = false

    public init() throws(GunzipError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, size) == Z_OK else { throw .noMemory }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        piece.deallocate()
    }

    /// Unpacks the next bytes into pieces for `body`, whose pointers are valid only during the call. Throws
    /// ``GunzipError`` if the bytes are not gzip, or continue after its end.
    public func unpack(
        _ packed: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: packed.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(packed.count)
        defer {
            stream.pointee.next_in = nil
            stream.pointee.avail_in = 0
        }
        while !isComplete {
            let count = try unpackPiece()
            if count > 0 { try body(UnsafeRawBufferPointer(rebasing: piece[..<count])) }
            guard count > 0 || isComplete else { return }
        }
        guard stream.pointee.avail_in == 0 else { throw GunzipError.invalid }
    }

    /// - Returns: the number of bytes in `piece`; 0 if more input is needed, or the stream has ended.
    private func unpackPiece() throws(GunzipError) -> Int {
        repeat {
            stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(piece.count)
            switch inflate(stream, Z_NO_FLUSH) {
            case Z_OK: break
            case Z_STREAM_END: isComplete = true
            // No progress is possible without more input.
            case Z_BUF_ERROR: return 0
            case Z_MEM_ERROR: throw .noMemory
            default: throw .invalid
            }
            let count = piece.count - Int(stream.pointee.avail_out)
            if count > 0 { return count }
        } while !isComplete && stream.pointee.avail_in > 0
        return 0
    }

    /// - Throws: ``GunzipError/invalid`` if the stream is not at its end.
    public func finish() throws(GunzipError) {
        guard isComplete else { throw .invalid }
    }
}

public enum GunzipError: Error, Equatable, Sendable {
    /// Not gzip, truncated, or followed by other bytes.
    case invalid
    case noMemory
}
