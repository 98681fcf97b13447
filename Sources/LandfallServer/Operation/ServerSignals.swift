internal import Foundation
internal import ServiceLifecycle
internal import UnixSignals

/// The signals that stop the server, as a service: it ends at the first, and the other services then stop.
///
/// SIGTERM and SIGINT always stop gracefully. SIGHUP stops gracefully if the process has a controlling
/// terminal, because then the terminal is gone: a closed window, a broken SSH connection. Without one
/// (systemd, cron, setsid), and under nohup, it is ignored: there it asks a service to read its settings
/// again, and the server reads them only once.
struct ServerSignals: Service {
    private let signals: UnixSignalsSequence

    /// From now on signals wait for ``run()``; none kills the process at once.
    init() async {
        signals = await UnixSignalsSequence(
            trapping: Self.hangUpStops ? [.sigterm, .sigint, .sighup] : [.sigterm, .sigint])
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            for await _ in signals { return }
        }
    }

    /// Ignores SIGHUP unless it means that a terminal is gone. Call it before anything is started.
    static func settleHangUp() {
        if !hangUpStops { signal(SIGHUP, SIG_IGN) }
    }

    /// Evaluated before SIGHUP is trapped; it does not change afterward.
    private static let hangUpStops = !isHangUpIgnored && hasTerminal

    private static var hasTerminal: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return true
    }

    /// As set by nohup.
    private static var isHangUpIgnored: Bool {
        var action = sigaction()
        guard sigaction(SIGHUP, nil, &action) == 0 else { return false }
        #if canImport(Glibc)
            let handler = action.__sigaction_handler.sa_handler
        #else
            let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
