import Foundation

/// A lock on a file that the kernel drops however the program ends.
///
/// Uses `flock`, not `fcntl`: the lock belongs to the open file, so two users inside one program count as
/// two. Without a call to ``drop()``, it is held until the program ends, even if this value no longer exists.
final class FileLock: @unchecked Sendable {
    // Proof of Sendable: `descriptor` is the only mutable state; it is only read and written under `mutex`.
    private let mutex = NSLock()
    private var descriptor: Int32?

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Waits until no other user holds the lock exclusively, then shares it.
    static func shared(at path: String) throws(EmbeddedPostgresError) -> FileLock {
        let descriptor = try openFile(at: path)
        guard lockRetryingInterrupts(descriptor, LOCK_SH) else { throw refusal(of: descriptor, path) }
        return FileLock(descriptor: descriptor)
    }

    /// Acquires the lock exclusively; returns `nil` at once if another user holds it.
    static func exclusiveIfFree(at path: String) throws(EmbeddedPostgresError) -> FileLock? {
        let descriptor = try openFile(at: path)
        if lockRetryingInterrupts(descriptor, LOCK_EX | LOCK_NB) { return FileLock(descriptor: descriptor) }
        guard errno == EWOULDBLOCK else { throw refusal(of: descriptor, path) }
        close(descriptor)
        return nil
    }

    /// Acquires the lock exclusively, waiting at most this many seconds for others to drop it.
    static func exclusive(at path: String, within seconds: Int) throws(EmbeddedPostgresError) -> FileLock {
        let deadline = Deadline(seconds: seconds)
        repeat {
            if let lock = try exclusiveIfFree(at: path) { return lock }
        } while deadline.pause()
        throw .busy(lockFile: path, seconds: seconds)
    }

    /// Drops the lock. A second call does nothing.
    func drop() {
        mutex.withLock {
            guard let descriptor else { return }
            // Closing alone would leave the lock with a child being spawned, which copied the descriptor.
            flock(descriptor, LOCK_UN)
            close(descriptor)
            self.descriptor = nil
        }
    }

    private static func openFile(at path: String) throws(EmbeddedPostgresError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .refusedCall("open", path) }
        giveToOwner(ofFolderOf: path, descriptor)
        return descriptor
    }

    /// If we are root, the user whose folder it is must be able to lock the file, too.
    ///
    /// A file with a second name is left alone: that user may have put a link to a file of root's there.
    private static func giveToOwner(ofFolderOf path: String, _ descriptor: Int32) {
        var (folder, file) = (stat(), stat())
        guard geteuid() == 0, stat((path as NSString).deletingLastPathComponent, &folder) == 0,
            folder.st_uid != 0, fstat(descriptor, &file) == 0, file.st_nlink == 1,
            file.st_mode & S_IFMT == S_IFREG
        else { return }
        fchown(descriptor, folder.st_uid, folder.st_gid)
    }

    private static func lockRetryingInterrupts(_ descriptor: Int32, _ operation: Int32) -> Bool {
        while flock(descriptor, operation) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    private static func refusal(of descriptor: Int32, _ path: String) -> EmbeddedPostgresError {
        let error = EmbeddedPostgresError.refusedCall("flock", path)
        close(descriptor)
        return error
    }
}
