import ChildPrograms
import Foundation

/// A library that, loaded before all others, shifts a program's time of day. Monotonic clocks are not
/// affected.
struct ShiftedClock: Sendable {
    private let folder: URL

    /// Whether this machine can build it and load it into a program.
    static var isPossible: Bool {
        #if os(Linux)
            compiler != nil
        #else
            false
        #endif
    }

    private static var compiler: URL? {
        ["clang", "cc"].lazy.compactMap(ChildProgram.find).first
    }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("landfall-clock-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let source = folder.appendingPathComponent("clock.c")
        try Data(Self.source.utf8).write(to: source)
        let process = Process()
        process.executableURL = Self.compiler
        process.arguments = ["-shared", "-fPIC", "-o", library.path, source.path, "-ldl"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NotBuilt() }
    }

    private var library: URL { folder.appendingPathComponent("clock.so") }

    func environment(daysAhead days: Int) -> [String: String] {
        ["LD_PRELOAD": library.path, "TEST_CLOCK_SHIFT": String(days * 86_400)]
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    struct NotBuilt: Error {}

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <sys/time.h>
        #include <time.h>

        static time_t shift(void) {
            const char *text = getenv("TEST_CLOCK_SHIFT");
            return text ? atol(text) : 0;
        }

        int clock_gettime(clockid_t clock, struct timespec *now) {
            static int (*original)(clockid_t, struct timespec *);
            if (!original) original = dlsym(RTLD_NEXT, "clock_gettime");
            int status = original(clock, now);
            if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift();
            return status;
        }

        int gettimeofday(struct timeval *restrict now, void *restrict zone) {
            struct timespec precise;
            int status = clock_gettime(CLOCK_REALTIME, &precise);
            now->tv_sec = precise.tv_sec;
            now->tv_usec = precise.tv_nsec / 1000;
            return status;
        }

        time_t time(time_t *result) {
            struct timespec precise;
            clock_gettime(CLOCK_REALTIME, &precise);
            if (result) *result = precise.tv_sec;
            return precise.tv_sec;
        }
        """
}
