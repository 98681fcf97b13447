/// Reasons why a private cluster could not be started, found or stopped. Every description says what to do.
public enum EmbeddedPostgresError: Error, CustomStringConvertible, Sendable, Equatable {
    /// None of the usual folders contains the server programs.
    case postgresNotInstalled
    /// `LANDFALL_PG_BIN` names a folder that lacks some of the programs.
    case programsMissing(folder: String, programs: [String])
    /// The major version that created the cluster is not installed.
    case versionNotInstalled(needed: String, installed: [String], cluster: String)
    /// `pg_dump` or `pg_restore` is missing, or older than the server.
    case clientNotInstalled(program: String, needed: Int, installed: [String])
    /// PostgreSQL refuses to run as root, and this program cannot become another user.
    case cannotLeaveRoot(reason: String)
    /// A folder cannot be used, for example because it belongs to another user.
    case folderUnusable(path: String, reason: String)
    /// The cluster's owner is not the user that PostgreSQL would run as.
    case clusterOfOtherOwner(cluster: String, ownerID: UInt32)
    /// The data folder links to a cluster that does not exist.
    case clusterMissing(link: String)
    /// A setting that the embedded cluster fixes itself, or whose name is not well-formed.
    case settingRefused(name: String, reason: String)
    /// Another program has been starting or stopping the cluster for too long.
    case busy(lockFile: String, seconds: Int)
    /// `initdb` or `createdb` failed.
    case creationRefused(program: String, output: String)
    case startRefused(logFile: String, lastLines: String)
    case stopRefused(cluster: String, output: String)
    case systemCallRefused(call: String, path: String, reason: String)

    /// The problem and what to do about it, in sentences for a person at a terminal.
    public var description: String {
        switch self {
        case .postgresNotInstalled: Self.installation
        case .programsMissing(let folder, let programs):
            "LANDFALL_PG_BIN is \(folder), which does not contain \(programs.joined(separator: ", ")). Set "
                + "it to the folder that contains initdb and postgres, or unset it."
        case .versionNotInstalled(let needed, let installed, let cluster):
            "The cluster in \(cluster) was created by PostgreSQL \(needed), but only version "
                + "\(installed.joined(separator: ", ")) is installed. Install PostgreSQL \(needed) "
                + "(Debian/Ubuntu: apt-get install postgresql-\(needed), macOS: brew install "
                + "postgresql@\(needed)), or upgrade the cluster with pg_upgrade."
        case .clientNotInstalled(let program, let needed, let installed):
            "\(program) of PostgreSQL \(needed) or later is required, but "
                + (installed.isEmpty
                    ? "it is not installed"
                    : "only version \(installed.joined(separator: ", ")) is installed")
                + ". Install it (Debian/Ubuntu: apt-get install postgresql-client-\(needed), macOS: brew install "
                + "postgresql@\(needed)), or set LANDFALL_PG_BIN to the folder that contains it."
        case .cannotLeaveRoot(let reason):
            "PostgreSQL refuses to run as root, and \(reason). Run as an ordinary user, or set "
                + "LANDFALL_DATABASE_URL to an existing server."
        case .folderUnusable(let path, let reason):
            "\(path) cannot be used: \(reason). Correct it, or set LANDFALL_DATA to another folder."
        case .clusterOfOtherOwner(let cluster, let ownerID):
            "The cluster in \(cluster) belongs to user \(ownerID). Run as that user, or set LANDFALL_DATA to "
                + "another folder."
        case .clusterMissing(let link):
            "\(link) points to a cluster that does not exist. Bring it back (is a disk not mounted?), or "
                + "remove the link to begin with an empty database."
        case .settingRefused(let name, let reason): "The server setting \(name) \(reason). Remove it."
        case .busy(let lockFile, let seconds):
            "Another program has been starting or stopping the cluster for \(seconds) s. Wait for it, or end "
                + "it: it is the one that holds \(lockFile)."
        case .creationRefused(let program, let output):
            "\(program) could not create the database. Fix the problem that it reports, then run again:\n\(output)"
        case .startRefused(let logFile, let lastLines):
            "PostgreSQL did not start. Fix the problem that its log reports, then run again. The end of "
                + "\(logFile):\n\(lastLines)"
        case .stopRefused(let cluster, let output):
            "PostgreSQL in \(cluster) did not stop. Stop it with pg_ctl stop -m immediate -D \(cluster):\n"
                + output
        case .systemCallRefused(let call, let path, let reason):
            "\(call) of \(path) failed: \(reason). Correct the permissions of the folder, free disk space, "
                + "or set LANDFALL_DATA to another folder."
        }
    }

    private static let installation = """
        PostgreSQL is not installed here, and no database is configured. Do one of these:
          Debian, Ubuntu: apt-get install postgresql
          macOS:          brew install postgresql@17
          elsewhere:      set LANDFALL_PG_BIN to the folder that contains initdb and postgres
          or set LANDFALL_DATABASE_URL to an existing server.
        """
}
