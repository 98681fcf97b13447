#if canImport(os)
    internal import os
#else
    internal import Foundation
#endif

/// The system's log, under the subsystem `landfall`; on Linux, stderr.
public let systemLog: Log = { sentence in
    #if canImport(os)
        Logger(subsystem: "landfall", category: "kit").notice("\(sentence, privacy: .public)")
    #else
        FileHandle.standardError.write(Data("landfall: \(sentence)\n".utf8))
    #endif
}
