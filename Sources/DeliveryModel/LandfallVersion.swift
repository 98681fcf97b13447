internal import CBuild

public enum LandfallVersion {
    /// The version of both programs and of the HTTP interface.
    public static let current = "0.1.0"

    /// The version as the program prints it: `landfall 0.1.0 (commit 1a2b3c4d, Swift 6.3.1)`.
    public static func text(of program: String) -> String { "\(program) \(current) (\(build))" }

    private static var build: String { String(cString: landfall_build()) }
}
