internal import Foundation

/// The contents of a file that should be small, read without knowing what it is: a file's size and kind would
/// need a reason in the privacy manifest.
enum SmallFile {
    case bytes(Data)
    /// A larger file, a folder or a link.
    case unexpected
    /// It is gone, or may not be read now because the device is locked.
    case unavailable

    init(_ path: String, limit: Int) {
        // Opening a pipe must not wait for its writer.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            self = errno == ELOOP ? .unexpected : .unavailable
            return
        }
        defer { close(descriptor) }
        var bytes = Data()
        var part = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= limit {
            let count = read(descriptor, &part, part.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                self = errno == EISDIR ? .unexpected : .unavailable
                return
            }
            guard count > 0 else {
                self = .bytes(bytes)
                return
            }
            bytes.append(part, count: count)
        }
        self = .unexpected
    }
}
