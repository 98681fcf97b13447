import Foundation

/// A folder on disk, and the few operations on it that must leave no gap for another user to slip in.
struct Folder: Sendable, Equatable {
    let path: String

    /// The path with symbolic links resolved; `nil` if nothing is there.
    var resolved: Folder? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return Folder(path: String(cString: real))
    }

    var exists: Bool {
        FileManager.default.fileExists(atPath: path)
    }

    /// The owner's user id; `nil` if nothing is there.
    var ownerID: uid_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }

    /// Whether the path itself is a symbolic link, even a dangling one.
    var isLink: Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    func child(_ name: String) -> String {
        path + "/" + name
    }

    func createWithParents(mode: mode_t = 0o700) throws(EmbeddedPostgresError) {
        guard !exists else { return }
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        } catch {
            throw .folderUnusable(path: parent.path, reason: error.localizedDescription)
        }
        try makeIfAbsent(mode: mode)
    }

    /// Creates the folder if it is absent, with exactly this mode, whatever the umask is.
    func makeIfAbsent(mode: mode_t) throws(EmbeddedPostgresError) {
        if mkdir(path, mode) == 0 {
            chmod(path, mode)
        } else if errno != EEXIST {
            throw .refusedCall("mkdir", path)
        }
    }

    /// Makes sure that the folder exists, belongs to the account and is closed to all other users.
    ///
    /// It may be in a place where others can write (the temporary folder). Therefore a link or
    /// another user's folder is rejected, and owner and mode are changed through an open descriptor.
    func makePrivate(for account: ServerAccount) throws(EmbeddedPostgresError) {
        try makeIfAbsent(mode: 0o700)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .folderUnusable(path: path, reason: "it is not a folder that this user can open")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .refusedCall("fstat", path) }
        guard status.st_uid == account.userID || status.st_uid == geteuid() else {
            throw .folderUnusable(path: path, reason: "it belongs to user \(status.st_uid)")
        }
        if status.st_uid != account.userID, fchown(descriptor, account.userID, account.groupID) != 0 {
            throw .refusedCall("chown", path)
        }
        guard fchmod(descriptor, 0o700) == 0 else { throw .refusedCall("chmod", path) }
    }
}

extension EmbeddedPostgresError {
    /// The error of a system call that has just failed. Reads `errno`, so call it at once.
    static func refusedCall(_ call: String, _ path: String) -> EmbeddedPostgresError {
        .systemCallRefused(call: call, path: path, reason: String(cString: strerror(errno)))
    }
}
