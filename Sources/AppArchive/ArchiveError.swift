public enum ArchiveError: Error, Equatable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case notAnArchive
    case damaged(what: String)
    case tooLarge(entry: String)
    case unsupported(entry: String, method: Int)
    case noApp

    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
        case .notAnArchive: "this is neither an .ipa archive (ZIP) nor a folder with an .app"
        case .damaged(let what): "the archive is damaged: \(what)"
        case .tooLarge(let entry): "\(entry) in the archive is larger than 512 MB"
        case .unsupported(let entry, let method):
            "\(entry) in the archive is compressed by method \(method); only deflate is supported"
        case .noApp: "the archive contains no app: Payload/….app with an Info.plist"
        }
    }
}
