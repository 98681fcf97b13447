internal import Foundation

/// Reads a secret from a prompt, or the first line of stdin. It is never an argument, because every user of
/// the machine can read those.
enum SecretInput {
    static func read(prompt: String) -> String {
        let line = isatty(STDIN_FILENO) == 1 ? getpass(prompt).map { String(cString: $0) } : readLine()
        return (line ?? "").trimmingCharacters(in: .whitespaces)
    }
}
